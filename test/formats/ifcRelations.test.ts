// Tests which storey, layer and type object the reader of IFC files finds for each element.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { beam, ifc } from './smallIfc.js';

const folder = mkdtempSync(join(tmpdir(), 'relations-'));
test.after(() => rmSync(folder, { recursive: true }));

const id = (number: number): string => `0${String(number).padStart(21, '0')}`;
const NAMES = ['direct', 'in room', 'piece', 'nowhere'];
// The elements are the records #100, #200, #300 and #400.
const model = ifc(NAMES.map((name, i) => beam(name, [2 * i, 0, 0], [1, 1, 1])));

/** Adds records to the model, and returns the relations of the elements in the order of NAMES. */
async function relations(...lines: string[]) {
  const path = join(folder, 'model.ifc');
  writeFileSync(path, model.replace(/ENDSEC;\nEND-ISO/, `${lines.join('\n')}\nENDSEC;\nEND-ISO`));
  const parts = await readParts(path);
  return NAMES.map(name => {
    const { storey, layer, objectType } = parts.find(part => part.name === `IfcBeam ${name}`)!;
    return { storey, layer, objectType };
  });
}

const STOREYS = [
  `#5000=IFCBUILDINGSTOREY('${id(1)}',$,'Ground \\X2\\00DF\\X0\\ floor',$,$,$,$,$,.ELEMENT.,0.);`,
  `#5001=IFCBUILDINGSTOREY('${id(2)}',$,'Upper floor',$,$,$,$,$,.ELEMENT.,3.);`,
  `#5002=IFCSPACE('${id(3)}',$,'Room',$,$,$,$,$,.ELEMENT.,.INTERNAL.,$);`,
];

test('an element belongs to the storey that contains it, also through a room or an assembly', async () => {
  const found = await relations(
    ...STOREYS,
    `#5010=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(10)}',$,$,$,(#100),#5000);`,
    `#5011=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(11)}',$,$,$,(#200),#5002);`,
    `#5012=IFCRELAGGREGATES('${id(12)}',$,$,$,#5001,(#5002));`,
    `#5013=IFCRELAGGREGATES('${id(13)}',$,$,$,#100,(#300));`,
  );
  assert.equal(
    found.map(({ storey }) => storey),
    ['Ground ß floor', 'Upper floor', 'Ground ß floor', undefined],
  );
});

test('a storey that contains a piece counts more than the storey of its assembly', async () => {
  const containment = `#5010=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(10)}',$,$,$,(#100),#5000);`;
  const own = `#5011=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(11)}',$,$,$,(#300),#5001);`;
  const assembly = `#5013=IFCRELAGGREGATES('${id(13)}',$,$,$,#100,(#300));`;
  for (const lines of [
    [containment, own, assembly],
    [assembly, own, containment],
  ])
    assert.is((await relations(...STOREYS, ...lines))[2].storey, 'Upper floor');
});

test('a cycle of assemblies has no storey and does not hang', async () => {
  const found = await relations(
    `#5013=IFCRELAGGREGATES('${id(13)}',$,$,$,#100,(#300));`,
    `#5014=IFCRELAGGREGATES('${id(14)}',$,$,$,#300,(#100));`,
  );
  assert.is(found[0].storey, undefined);
});

test('layers are assigned to representations or to their items; several are sorted', async () => {
  const found = await relations(
    "#5020=IFCPRESENTATIONLAYERASSIGNMENT('S-BEAM',$,(#105,#206),$);",
    "#5021=IFCPRESENTATIONLAYERASSIGNMENT('A-WALL',$,(#206),$);",
  );
  assert.equal(
    found.map(({ layer }) => layer),
    ['S-BEAM', 'A-WALL, S-BEAM', undefined, undefined],
  );
});

test('the type object has precedence over the attribute ObjectType', async () => {
  const path = join(folder, 'types.ifc');
  writeFileSync(
    path,
    model
      .replace(
        /#(200|300)=IFCBEAM\(('[^']+'),\$,('[^']+'),\$,\$,/g,
        "#$1=IFCBEAM($2,$,$3,$,'from the attribute',",
      )
      .replace(
        /ENDSEC;\nEND-ISO/,
        [
          `#5030=IFCBEAMTYPE('${id(30)}',$,'HEA 200',$,$,$,$,$,$,.BEAM.);`,
          `#5031=IFCRELDEFINESBYTYPE('${id(31)}',$,$,$,(#100,#200),#5030);`,
          'ENDSEC;\nEND-ISO',
        ].join('\n'),
      ),
  );
  const parts = await readParts(path);
  assert.equal(
    NAMES.map(name => parts.find(part => part.name === `IfcBeam ${name}`)!.objectType),
    ['HEA 200', 'HEA 200', 'from the attribute', undefined],
  );
});

dataTest('every element of a house has a storey, a layer and a type', async () => {
  const parts = await readParts(dataPath('bim/duplex.ifc.gz'));
  assert.is(parts.length, 215);
  assert.ok(parts.every(({ storey, layer, objectType }) => storey && layer && objectType));
  assert.equal([...new Set(parts.map(({ storey }) => storey))].sort(), [
    'Level 1',
    'Level 2',
    'Roof',
    'T/FDN',
  ]);
});

test.run();
