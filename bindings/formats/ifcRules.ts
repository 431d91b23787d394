// Defines rules for the attributes of the IFC entities that describe shapes, placements and units (ISO 16739).
// One table covers IFC2x3, IFC4 and IFC4x3.

/** A kind of value that an attribute may have. */
export type Choice =
  | { kind: 'number'; min: number; isZeroAllowed: boolean; isWhole: boolean }
  | { kind: 'text' | 'boolean' | 'measure' | 'any' | 'derived' }
  | { kind: 'enumeration'; values: string[] | undefined }
  | { kind: 'entity'; name: string }
  | { kind: 'typed'; name: string; rule: Rule };
/** A list of `min` to `max` values. */
export interface ListRule {
  list: Rule;
  min: number;
  max: number;
  isOptional: boolean;
}
/** A single value, which must be of one of several kinds. */
export interface ChoiceRule {
  choices: Choice[];
  isOptional: boolean;
  text: string;
}
export type Rule = ListRule | ChoiceRule;
/** The attributes of an entity, in order. */
export interface EntityRule {
  attributes: Rule[];
  /**
   * Number of leading attributes that a record must have. The later attributes are missing in some IFC
   * versions.
   */
  required: number;
}

// Each line of TEXT below is the rule of one entity: its name, and one word for each attribute. The notation:
// - real, int: a number; a trailing + means greater than 0, a trailing 0 means at least 0
// - text, bool, enum, .A|B.: a text, a Boolean, any enumeration value, one of the values A and B
// - measure: a number with a type; *: derived; _: anything
// - any other name X: a reference to the entity IfcX; <X>: a value of the type IfcX
// - A|B: one of several; {2,3}X: a list of two to three X; X?: may be absent ($)
// - attributes after / are missing in some versions of IFC
const UNIT_TYPE = `.LENGTHUNIT|AREAUNIT|VOLUMEUNIT|PLANEANGLEUNIT|SOLIDANGLEUNIT|MASSUNIT|TIMEUNIT|ABSORBEDDOSEUNIT|AMOUNTOFSUBSTANCEUNIT|DOSEEQUIVALENTUNIT|ELECTRICCAPACITANCEUNIT|ELECTRICCHARGEUNIT|ELECTRICCONDUCTANCEUNIT|ELECTRICCURRENTUNIT|ELECTRICRESISTANCEUNIT|ELECTRICVOLTAGEUNIT|ENERGYUNIT|FORCEUNIT|FREQUENCYUNIT|ILLUMINANCEUNIT|INDUCTANCEUNIT|LUMINOUSFLUXUNIT|LUMINOUSINTENSITYUNIT|MAGNETICFLUXDENSITYUNIT|MAGNETICFLUXUNIT|POWERUNIT|PRESSUREUNIT|RADIOACTIVITYUNIT|THERMODYNAMICTEMPERATUREUNIT|USERDEFINED.`;
const PREFIX = '.EXA|PETA|TERA|GIGA|MEGA|KILO|HECTO|DECA|DECI|CENTI|MILLI|MICRO|NANO|PICO|FEMTO|ATTO.';
const SI_NAME =
  '.METRE|SQUARE_METRE|CUBIC_METRE|GRAM|SECOND|AMPERE|KELVIN|MOLE|CANDELA|RADIAN|STERADIAN|HERTZ|NEWTON|PASCAL|JOULE|WATT|COULOMB|VOLT|FARAD|OHM|SIEMENS|WEBER|TESLA|HENRY|DEGREE_CELSIUS|LUMEN|LUX|BECQUEREL|GRAY|SIEVERT.';
const PROFILE = '.AREA|CURVE. text?';
const SHAPED = `${PROFILE} Axis2Placement2D?`;
const PLACE = 'Axis2Placement2D|Axis2Placement3D';
const SWEPT = 'ProfileDef Axis2Placement3D?';
const PARAMETER = 'real|<ParameterValue>|<LengthMeasure>|<NonNegativeLengthMeasure>';
const OPERAND = 'SolidModel|HalfSpaceSolid|BooleanResult|CsgPrimitive3D|TessellatedFaceSet';
const TRIM = '{1,2}CartesianPoint|<ParameterValue>';
const UNIT = 'NamedUnit|DerivedUnit|MonetaryUnit';
const SPLINE = 'int+ {2,}CartesianPoint enum bool bool';
const KNOTS = '{2,}int+ {2,}real enum';
const SURFACE = 'int+ int+ {2,}{2,}CartesianPoint enum bool bool bool';
const SURFACE_KNOTS = '{2,}int+ {2,}int+ {2,}real {2,}real enum';
const BRANCHES = '{1,}Face';
// ifcIndices.ts checks the last attribute, PnIndex.
const TRIANGULATED = 'CartesianPointList3D {1,}{3,3}real? bool? {1,}{3,3}int+ _?';
const TRANSFORM = 'Direction? Direction? CartesianPoint real+?';
const SHELL = 'OpenShell|ClosedShell';
const TEXT = `
CartesianPoint {1,3}real
Direction {2,3}real
Vector Direction real0
Axis1Placement Point Direction?
Axis2Placement2D Point Direction?
Axis2Placement3D Point Direction? Direction?
LocalPlacement ObjectPlacement? ${PLACE}
CartesianTransformationOperator2D ${TRANSFORM}
CartesianTransformationOperator2DnonUniform ${TRANSFORM} real+?
CartesianTransformationOperator3D ${TRANSFORM} Direction?
CartesianTransformationOperator3DnonUniform ${TRANSFORM} Direction? real+? real+?
RepresentationMap ${PLACE} Representation
MappedItem RepresentationMap CartesianTransformationOperator
ShapeRepresentation RepresentationContext text? text? {1,}RepresentationItem
ProductDefinitionShape text? text? {1,}Representation
ExtrudedAreaSolid ${SWEPT} Direction real+
ExtrudedAreaSolidTapered ${SWEPT} Direction real+ ProfileDef
RevolvedAreaSolid ${SWEPT} Axis1Placement real
RevolvedAreaSolidTapered ${SWEPT} Axis1Placement real ProfileDef
SurfaceCurveSweptAreaSolid ${SWEPT} Curve ${PARAMETER}? ${PARAMETER}? Surface
FixedReferenceSweptAreaSolid ${SWEPT} Curve ${PARAMETER}? ${PARAMETER}? Direction
SweptDiskSolid Curve real+ real+? ${PARAMETER}? ${PARAMETER}?
SweptDiskSolidPolygonal Curve real+ real+? ${PARAMETER}? ${PARAMETER}? real0?
FacetedBrep ClosedShell
FacetedBrepWithVoids ClosedShell {1,}ClosedShell
AdvancedBrep ClosedShell
AdvancedBrepWithVoids ClosedShell {1,}ClosedShell
ClosedShell ${BRANCHES}
OpenShell ${BRANCHES}
ConnectedFaceSet ${BRANCHES}
Face {1,}FaceBound
FaceSurface {1,}FaceBound Surface bool
AdvancedFace {1,}FaceBound Surface bool
FaceBound Loop bool
FaceOuterBound Loop bool
PolyLoop {3,}CartesianPoint
EdgeLoop {1,}OrientedEdge
VertexLoop Vertex
OrientedEdge * * Edge bool
Edge Vertex Vertex
EdgeCurve Vertex Vertex Curve bool
Subedge Vertex Vertex Edge
VertexPoint Point
FaceBasedSurfaceModel {1,}ConnectedFaceSet
ShellBasedSurfaceModel {1,}${SHELL}
GeometricSet {1,}Point|Curve|Surface
GeometricCurveSet {1,}Point|Curve
BooleanResult .UNION|INTERSECTION|DIFFERENCE. ${OPERAND} ${OPERAND}
BooleanClippingResult .UNION|INTERSECTION|DIFFERENCE. ${OPERAND} ${OPERAND}
HalfSpaceSolid Surface bool
BoxedHalfSpace Surface bool BoundingBox
PolygonalBoundedHalfSpace Surface bool Axis2Placement3D BoundedCurve
BoundingBox CartesianPoint real0 real0 real0
Block Axis2Placement3D real+ real+ real+
Sphere Axis2Placement3D real+
RightCircularCylinder Axis2Placement3D real+ real+
RightCircularCone Axis2Placement3D real+ real+
RectangularPyramid Axis2Placement3D real+ real+ real+
CsgSolid BooleanResult|CsgPrimitive3D
Polyline {2,}CartesianPoint
CompositeCurve {1,}CompositeCurveSegment|Segment bool
2DCompositeCurve {1,}CompositeCurveSegment bool
CompositeCurveSegment enum bool Curve
ReparametrisedCompositeCurveSegment enum bool Curve real
TrimmedCurve Curve ${TRIM} ${TRIM} bool .CARTESIAN|PARAMETER|UNSPECIFIED.
Circle ${PLACE} real+
Ellipse ${PLACE} real+ real+
Line CartesianPoint Vector
OffsetCurve2D Curve real bool
OffsetCurve3D Curve real bool Direction
BezierCurve ${SPLINE}
RationalBezierCurve ${SPLINE} {2,}real+
BSplineCurveWithKnots ${SPLINE} ${KNOTS}
RationalBSplineCurveWithKnots ${SPLINE} ${KNOTS} {2,}real+
BSplineSurfaceWithKnots ${SURFACE} ${SURFACE_KNOTS}
RationalBSplineSurfaceWithKnots ${SURFACE} ${SURFACE_KNOTS} {2,}{2,}real+
IndexedPolyCurve CartesianPointList {1,}<LineIndex>|<ArcIndex>? bool?
CartesianPointList2D {1,}{2,2}real / {1,}text?
CartesianPointList3D {1,}{3,3}real / {1,}text?
TriangulatedFaceSet ${TRIANGULATED}
TriangulatedIrregularNetwork ${TRIANGULATED} {1,}int
PolygonalFaceSet CartesianPointList3D bool? {1,}IndexedPolygonalFace {1,}int+?
IndexedPolygonalFace {3,}int+
IndexedPolygonalFaceWithVoids {3,}int+ {1,}{3,}int+
Plane Axis2Placement3D
CylindricalSurface Axis2Placement3D real+
SphericalSurface Axis2Placement3D real+
ToroidalSurface Axis2Placement3D real+ real+
SurfaceOfLinearExtrusion ${SWEPT} Direction real
SurfaceOfRevolution ${SWEPT} Axis1Placement
CurveBoundedPlane Plane Curve {0,}Curve?
RectangularTrimmedSurface Surface real real real real bool bool
ArbitraryClosedProfileDef ${PROFILE} Curve
ArbitraryProfileDefWithVoids ${PROFILE} Curve {1,}Curve
ArbitraryOpenProfileDef ${PROFILE} Curve
CenterLineProfileDef ${PROFILE} Curve real+
CompositeProfileDef ${PROFILE} {1,}ProfileDef text?
DerivedProfileDef ${PROFILE} ProfileDef CartesianTransformationOperator2D text?
MirroredProfileDef ${PROFILE} ProfileDef * text?
RectangleProfileDef ${SHAPED} real+ real+
RoundedRectangleProfileDef ${SHAPED} real+ real+ real0
RectangleHollowProfileDef ${SHAPED} real+ real+ real+ real0? real0?
CircleProfileDef ${SHAPED} real+
CircleHollowProfileDef ${SHAPED} real+ real+
EllipseProfileDef ${SHAPED} real+ real+
TrapeziumProfileDef ${SHAPED} real+ real+ real+ real
IShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? / real0? real?
AsymmetricIShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? real+ real+? real0? real? / real? real0? real?
LShapeProfileDef ${SHAPED} real+ real+? real+ real0? real0? real? / real? real?
TShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? real0? real0? real? real? / real?
UShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? real0? real? / real?
CShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? / real?
ZShapeProfileDef ${SHAPED} real+ real+ real+ real+ real0? real0?
RelVoidsElement text _? text? text? Element FeatureElementSubtraction
RelAggregates text _? text? text? ObjectDefinition {1,}ObjectDefinition
Project text _? text? text? text? text? text? {0,}RepresentationContext? UnitAssignment?
UnitAssignment {1,}${UNIT}
SIUnit * ${UNIT_TYPE} ${PREFIX}? ${SI_NAME}
ConversionBasedUnit DimensionalExponents ${UNIT_TYPE} text MeasureWithUnit
MeasureWithUnit measure ${UNIT}
GeometricRepresentationContext text? text? int real? ${PLACE}? Direction?
GeometricRepresentationSubContext text? text? * * * * RepresentationContext real+? enum text?
`;
// The first attribute, the GlobalId, does not affect the shape, so any value is accepted for it.
const PRODUCT = '_ _? text? text? text? ObjectPlacement? ProductRepresentation?';
const TYPES: Record<string, string> = { LineIndex: '{2,}int+', ArcIndex: '{3,3}int+' };

/** The rules of each entity. A key is the entity's name in upper case, as in files: IFCDIRECTION. */
export const entityRules: ReadonlyMap<string, EntityRule> = new Map(
  TEXT.trim()
    .split('\n')
    .map(line => {
      const [name, ...words] = line.split(' ');
      const optional = words.indexOf('/');
      return [
        `IFC${name.toUpperCase()}`,
        {
          attributes: words.filter(word => word !== '/').map(word => readRule(word)),
          required: optional < 0 ? words.length : optional,
        },
      ];
    }),
);

/** The first attributes of every product. A product is an entity with a placement and a shape. */
export const productRules: readonly Rule[] = PRODUCT.split(' ').map(word => readRule(word));

/**
 * Reads one word of the notation above.
 * @param prefix What precedes the names of entities in files, but not in the notation.
 */
export function readRule(word: string, prefix = 'IFC'): Rule {
  const isOptional = word.endsWith('?');
  const [, min, max, rest] = /^\{(\d+),(\d*)\}(.*)$/.exec(isOptional ? word.slice(0, -1) : word) ?? [];
  if (rest !== undefined)
    return {
      list: readRule(rest, prefix),
      min: Number(min),
      max: max === '' ? Infinity : Number(max),
      isOptional,
    };
  const text = isOptional ? word.slice(0, -1) : word;
  const alternatives = text.startsWith('.') ? [text] : text.split('|');
  return { choices: alternatives.map(choice => readChoice(choice, prefix)), isOptional, text };
}

function readChoice(text: string, prefix: string): Choice {
  const [, number, sign] = /^(real|int)([+0]?)$/.exec(text) ?? [];
  if (number)
    return {
      kind: 'number',
      min: sign === '' ? -Infinity : 0,
      isZeroAllowed: sign !== '+',
      isWhole: number === 'int',
    };
  if (text.startsWith('.')) return { kind: 'enumeration', values: text.slice(1, -1).split('|') };
  if (text.startsWith('<'))
    return {
      kind: 'typed',
      name: `IFC${text.slice(1, -1).toUpperCase()}`,
      rule: readRule(TYPES[text.slice(1, -1)] ?? 'real'),
    };
  if (text === 'enum') return { kind: 'enumeration', values: undefined };
  if (text === 'text') return { kind: 'text' };
  if (text === 'bool') return { kind: 'boolean' };
  if (text === 'measure') return { kind: 'measure' };
  if (text === '*') return { kind: 'derived' };
  return text === '_' ? { kind: 'any' } : { kind: 'entity', name: `${prefix}${text.toUpperCase()}` };
}
