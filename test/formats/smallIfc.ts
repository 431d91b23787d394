// Makes, in memory, small IFC files that contain boxes extruded upward.

type Point = [number, number, number];
export interface Beam {
  name: string;
  at: Point;
  size: Point;
  entity: string;
}

/**
 * Describes an upright box of the given size. at: the center of the box's base. entity: the IFC type of the
 * element.
 */
export function beam(name: string, at: Point, size: Point, entity = 'IFCBEAM'): Beam {
  return { name, at, size, entity };
}

const UNITS: Record<string, string[]> = {
  FOOT: [
    "#20=IFCCONVERSIONBASEDUNIT(#22,.LENGTHUNIT.,'FOOT',#21);",
    '#21=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#23);',
  ],
  INCH: [
    "#20=IFCCONVERSIONBASEDUNIT(#22,.LENGTHUNIT.,'INCH',#21);",
    '#21=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(25.4),#24);',
  ],
};
const real = (value: number): string => (Number.isInteger(value) ? `${value}.` : String(value));
const point = (values: number[]): string => `IFCCARTESIANPOINT((${values.map(real).join(',')}))`;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$';
const globalId = (number: number): string =>
  Array.from({ length: 22 }, (_, i) => ALPHABET[(number * (i + 7) + i) % 64])
    .join('')
    .replace(/^./, '1');

/**
 * Makes the text of an IFC file. unit: the unit of length, which is FOOT, INCH, or an SI prefix of the
 * meter, such as MILLI; default: the meter.
 */
export function ifc(
  beams: Beam[],
  unit?: string,
  schema: 'IFC4' | 'IFC4X3' | 'IFC4X3_ADD2' = 'IFC4',
): string {
  const lines = [
    'ISO-10303-21;',
    'HEADER;',
    "FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');",
    "FILE_NAME('beams.ifc','2024-01-01T00:00:00',(''),(''),'','','');",
    `FILE_SCHEMA(('${schema}'));`,
    'ENDSEC;',
    'DATA;',
    "#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'Beams',$,$,$,$,(#2),#10);",
    "#2=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#3,$);",
    '#3=IFCAXIS2PLACEMENT3D(#4,$,$);',
    `#4=${point([0, 0, 0])};`,
    '#5=IFCAXIS2PLACEMENT2D(#6,$);',
    `#6=${point([0, 0])};`,
    '#7=IFCDIRECTION((0.,0.,1.));',
    '#10=IFCUNITASSIGNMENT((#20));',
    '#22=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);',
    '#23=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);',
    '#24=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);',
    ...(UNITS[unit ?? ''] ?? [`#20=IFCSIUNIT(*,.LENGTHUNIT.,${unit ? `.${unit}.` : '$'},.METRE.);`]),
  ];
  beams.forEach(({ name, at, size: [x, y, z], entity }, i) => {
    const first = 100 * (i + 1);
    const line = (offset: number, text: string) => lines.push(`#${first + offset}=${text};`);
    line(
      0,
      `${entity}('${globalId(i + 1)}',$,${name ? `'${name}'` : '$'},$,$,#${first + 1},#${first + 4},$,$)`,
    );
    line(1, `IFCLOCALPLACEMENT($,#${first + 2})`);
    line(2, `IFCAXIS2PLACEMENT3D(#${first + 3},$,$)`);
    line(3, point(at));
    line(4, `IFCPRODUCTDEFINITIONSHAPE($,$,(#${first + 5}))`);
    line(5, `IFCSHAPEREPRESENTATION(#2,'Body','SweptSolid',(#${first + 6}))`);
    line(6, `IFCEXTRUDEDAREASOLID(#${first + 7},#3,#7,${real(z)})`);
    line(7, `IFCRECTANGLEPROFILEDEF(.AREA.,$,#5,${real(x)},${real(y)})`);
  });
  return [...lines, 'ENDSEC;', 'END-ISO-10303-21;', ''].join('\n');
}
