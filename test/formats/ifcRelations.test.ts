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

for (const schema of ['IFC4X3', 'IFC4X3_ADD2'] as const)
  test(`${schema}: an element belongs to the innermost storey or part of a facility that contains it`, async () => {
    const names = ['girder', 'plate', 'curb', 'barrier', 'track', 'fender', 'slab', 'sign'];
    const [common, tail] = [`$,$,$,$,$,.ELEMENT.`, '.LONGITUDINAL.'];
    const path = join(folder, 'bridge.ifc');
    const lines = [
      `#5000=IFCBRIDGE('${id(1)}',$,'Bridge',${common},.GIRDER.);`,
      `#5001=IFCBRIDGEPART('${id(2)}',$,'Deck',${common},${tail},.DECK.);`,
      `#5002=IFCROADPART('${id(3)}',$,'Carriageway',${common},${tail},.CARRIAGEWAY.);`,
      `#5003=IFCRAILWAYPART('${id(4)}',$,'Track bed',${common},${tail},.TRACKSTRUCTURE.);`,
      `#5004=IFCMARINEPART('${id(5)}',$,'Quay',${common},${tail},.QUAY.);`,
      `#5005=IFCFACILITYPARTCOMMON('${id(6)}',$,'Segment',${common},${tail},.SEGMENT.);`,
      `#5006=IFCBUILDINGSTOREY('${id(7)}',$,'Control room',${common},0.);`,
      `#5010=IFCRELAGGREGATES('${id(10)}',$,$,$,#5000,(#5001,#5006));`,
      `#5011=IFCRELAGGREGATES('${id(11)}',$,$,$,#5001,(#5002,#5005));`,
      `#5012=IFCRELAGGREGATES('${id(12)}',$,$,$,#100,(#200));`,
      ...[5001, undefined, 5002, 5005, 5003, 5004, 5006, 5000].flatMap((container, i) =>
        container === undefined
          ? []
          : [
              `#${6000 + i}=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(20 + i)}',$,$,$,(#${100 * (i + 1)}),#${container});`,
            ],
      ),
    ];
    const entities = [
      'IFCBEAM',
      'IFCPLATE',
      'IFCKERB',
      'IFCRAILING',
      'IFCRAIL',
      'IFCMEMBER',
      'IFCSLAB',
      'IFCSIGN',
    ];
    const beams = names.map((name, i) => beam(name, [2 * i, 0, 0], [1, 1, 1], entities[i]));
    writeFileSync(
      path,
      ifc(beams, undefined, schema).replace(/ENDSEC;\nEND-ISO/, `${lines.join('\n')}\nENDSEC;\nEND-ISO`),
    );
    assert.equal(
      (await readParts(path)).map(({ name, storey }) => [name, storey]),
      [
        ['IfcBeam girder', 'Deck'],
        ['IfcPlate plate', 'Deck'],
        ['IfcKerb curb', 'Carriageway'],
        ['IfcRailing barrier', 'Segment'],
        ['IfcRail track', 'Track bed'],
        ['IfcMember fender', 'Quay'],
        ['IfcSlab slab', 'Control room'],
        // A bridge is a whole facility, not a part of one.
        ['IfcSign sign', undefined],
      ],
    );
  });

test('the storey that contains a piece has precedence over the storey of its assembly', async () => {
  const containment = `#5010=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(10)}',$,$,$,(#100),#5000);`;
  const own = `#5011=IFCRELCONTAINEDINSPATIALSTRUCTURE('${id(11)}',$,$,$,(#300),#5001);`;
  const assembly = `#5013=IFCRELAGGREGATES('${id(13)}',$,$,$,#100,(#300));`;
  for (const lines of [
    [containment, own, assembly],
    [assembly, own, containment],
  ])
    assert.is((await relations(...STOREYS, ...lines))[2].storey, 'Upper floor');
});

test('the elements of a cycle of assemblies have no storey, and the reader does not hang', async () => {
  const found = await relations(
    `#5013=IFCRELAGGREGATES('${id(13)}',$,$,$,#100,(#300));`,
    `#5014=IFCRELAGGREGATES('${id(14)}',$,$,$,#300,(#100));`,
  );
  assert.is(found[0].storey, undefined);
});

test('layers are assigned to representations or to their items; the layers of one element are sorted', async () => {
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
