// Defines rules for the attributes of STEP entities: points, placements, curves, surfaces, the edges, faces and
// shells of solids (ISO 10303-42), and the parts of assemblies (ISO 10303-41, 43 and 44). If one of these
// entities is faulty, occt-import-js reports no error: it repairs the fault, or leaves out the shape.
import { type Rule, readRule } from './ifcRules.js';

// TEXT and the constants in it use the notation of ifcRules.ts, except that a name X means the entity X, not
// the entity IfcX.
const POINT = 'CARTESIAN_POINT|POINT_ON_CURVE|POINT_ON_SURFACE|POINT_REPLICA';
const PLACE = 'AXIS2_PLACEMENT_2D|AXIS2_PLACEMENT_3D';
const EDGE = 'EDGE_CURVE|ORIENTED_EDGE|SEAM_EDGE|SUBEDGE|EDGE';
const LOOP = 'EDGE_LOOP|POLY_LOOP|VERTEX_LOOP';
const FACE = '{1,}FACE_BOUND|FACE_OUTER_BOUND';
const SHELL = '{1,}ADVANCED_FACE|FACE_SURFACE|ORIENTED_FACE|SUBFACE|FACE';
const CLOSED = 'CLOSED_SHELL|ORIENTED_CLOSED_SHELL';
const DEFINITION = 'PRODUCT_DEFINITION|PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS';
const TEXT = `
CARTESIAN_POINT text {1,3}real
DIRECTION text {2,3}real
VECTOR text DIRECTION real0
AXIS2_PLACEMENT_3D text ${POINT} DIRECTION? DIRECTION?
VERTEX_POINT text ${POINT}
EDGE_CURVE text VERTEX_POINT VERTEX_POINT _ bool
ORIENTED_EDGE text * * ${EDGE} bool
EDGE_LOOP text {1,}ORIENTED_EDGE|SEAM_EDGE
POLY_LOOP text {3,}${POINT}
FACE_BOUND text ${LOOP} bool
FACE_OUTER_BOUND text ${LOOP} bool
FACE_SURFACE text ${FACE} _ bool
ADVANCED_FACE text ${FACE} _ bool
OPEN_SHELL text ${SHELL}
CLOSED_SHELL text ${SHELL}
MANIFOLD_SOLID_BREP text ${CLOSED}
FACETED_BREP text ${CLOSED}
BREP_WITH_VOIDS text ${CLOSED} {1,}${CLOSED}
CIRCLE text ${PLACE} real+
ELLIPSE text ${PLACE} real+ real+
PLANE text AXIS2_PLACEMENT_3D
CYLINDRICAL_SURFACE text AXIS2_PLACEMENT_3D real+
CONICAL_SURFACE text AXIS2_PLACEMENT_3D real0 real
SPHERICAL_SURFACE text AXIS2_PLACEMENT_3D real+
TOROIDAL_SURFACE text AXIS2_PLACEMENT_3D real+ real+
ITEM_DEFINED_TRANSFORMATION text text? ${PLACE} ${PLACE}
NEXT_ASSEMBLY_USAGE_OCCURRENCE text text text? ${DEFINITION} ${DEFINITION} text?
PRODUCT_DEFINITION text text? PRODUCT_DEFINITION_FORMATION|PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE _
`;

/** The rules of the attributes of each entity, by its name. */
export const stepRules: ReadonlyMap<string, readonly Rule[]> = new Map(
  TEXT.trim()
    .split('\n')
    .map(line => {
      const [name, ...words] = line.split(' ');
      return [name, words.map(word => readRule(word, ''))];
    }),
);
