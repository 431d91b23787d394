// Tests which base classes, systems and links to other elements the reader of IFC files finds for each element,
// and that annotations are not parts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import { test } from '../support/test.js';
import { beam, ifc } from './smallIfc.js';

const folder = mkdtempSync(join(tmpdir(), 'links-'));
test.after(() => rmSync(folder, { recursive: true }));

const id = (number: number): string => `0${String(number).padStart(21, '0')}`;
const NAMES = ['whole', 'piece', 'piece of piece', 'alone'];

/** Adds records to a model whose elements are the records #100, #200, ..., and returns its parts. */
async function read(lines: string[], entity = 'IFCBEAM') {
  const model = ifc(NAMES.map((name, i) => beam(name, [2 * i, 0, 0], [1, 1, 1], entity)));
  const path = join(folder, 'model.ifc');
  writeFileSync(
    path,
    model.replace(/ENDSEC;\nEND-ISO/, () => `${lines.join('\n')}\nENDSEC;\nEND-ISO`),
  );
  return readParts(path);
}

test('if assemblies are nested, the assembly of each piece is the outermost one', async () => {
  const parts = await read([
    `#5000=IFCRELAGGREGATES('${id(1)}',$,$,$,#200,(#300));`,
    `#5001=IFCRELAGGREGATES('${id(2)}',$,$,$,#100,(#200));`,
  ]);
  const [whole, piece, inner, alone] = parts.map(({ links }) => links!);
  assert.equal(
    [whole, piece, inner].map(({ assembly }) => assembly),
    [whole.record, whole.record, whole.record],
  );
  assert.is(alone.assembly, undefined);
  const cycle = await read([
    `#5000=IFCRELAGGREGATES('${id(1)}',$,$,$,#200,(#300));`,
    `#5001=IFCRELAGGREGATES('${id(2)}',$,$,$,#300,(#200));`,
  ]);
  assert.is(cycle.length, 4);
});

test('an element of a storey has no assembly, although a storey is a piece of a building', async () => {
  const parts = await read([
    `#5000=IFCBUILDINGSTOREY('${id(3)}',$,'Ground floor',$,$,$,$,$,.ELEMENT.,0.);`,
    `#5001=IFCRELAGGREGATES('${id(1)}',$,$,$,#5000,(#100,#200));`,
  ]);
  assert.equal(
    parts.map(({ links }) => links!.assembly),
    [undefined, undefined, undefined, undefined],
  );
});

test('an element has the names of its systems, but not of other groups', async () => {
  const parts = await read([
    `#5000=IFCSYSTEM('${id(1)}',$,'Supply',$,$);`,
    `#5001=IFCDISTRIBUTIONSYSTEM('${id(2)}',$,'Air',$,$,$,$);`,
    `#5002=IFCGROUP('${id(3)}',$,'Favorites',$,$);`,
    `#5003=IFCRELASSIGNSTOGROUP('${id(4)}',$,$,$,(#100,#200),$,#5000);`,
    `#5004=IFCRELASSIGNSTOGROUP('${id(5)}',$,$,$,(#200),$,#5001);`,
    `#5005=IFCRELASSIGNSTOGROUP('${id(6)}',$,$,$,(#300),$,#5002);`,
  ]);
  assert.equal(
    parts.map(({ system }) => system),
    ['Supply', 'Air, Supply', undefined, undefined],
  );
});

test('an element has its class and the classes that it inherits from', async () => {
  const [{ bases }, other] = await read([], 'IFCWALLSTANDARDCASE');
  for (const name of ['IFCWALLSTANDARDCASE', 'IFCWALL', 'IFCELEMENT', 'IFCPRODUCT', 'IFCROOT'])
    assert.ok(bases!.includes(name), name);
  for (const name of ['IFCBEAM', 'IFCSLAB', 'IFCFEATUREELEMENT']) assert.not.ok(bases!.includes(name), name);
  assert.is(other.bases, bases, 'elements of a class share the list');
});

test('annotations are not parts', async () => {
  const model = ifc(NAMES.map((name, i) => beam(name, [2 * i, 0, 0], [1, 1, 1])));
  const path = join(folder, 'annotation.ifc');
  writeFileSync(path, model.replace(/#400=IFCBEAM(.*),\$,\$\);/, '#400=IFCANNOTATION$1);'));
  assert.equal(
    (await readParts(path)).map(({ name }) => name),
    NAMES.slice(0, 3).map(name => `IfcBeam ${name}`),
  );
});

test.run();
