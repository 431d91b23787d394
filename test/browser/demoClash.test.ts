// Tests that the demo's clash page finds the same clashes as the engine in Node, and that it says which files
// it cannot read, and why.

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { collide } from '../../dist/index.js';
import { box, type MeshData, sphere, translation } from '../../dist/samples/index.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { dataPath, hasData } from '../support/data.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { frames, number, onPage, text as textOf, until, until$ } from './demoPages.js';
import { pictureOf } from './pictures.js';

type Given = { name: string; text: string | Uint8Array };

const corners = ({ positions, indices }: MeshData): number[][] =>
  Array.from(indices, vertex => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);

const objOf = (meshes: readonly MeshData[]): string => {
  let base = 1;
  return meshes
    .map((mesh, i) => {
      const lines = [`o part${i}`, ...corners(mesh).map(corner => `v ${corner.join(' ')}`)];
      for (let corner = 0; corner < mesh.indices.length; corner += 3)
        lines.push(`f ${base + corner} ${base + corner + 1} ${base + corner + 2}`);
      base += mesh.indices.length;
      return lines.join('\n');
    })
    .join('\n');
};

const stlOf = (meshes: readonly MeshData[]): string =>
  meshes
    .map((mesh, i) => {
      const points = corners(mesh).map(corner => `vertex ${corner.join(' ')}`);
      const facets: string[] = [];
      for (let at = 0; at < points.length; at += 3)
        facets.push(
          `facet normal 0 0 1\nouter loop\n${points.slice(at, at + 3).join('\n')}\nendloop\nendfacet`,
        );
      return `solid part${i}\n${facets.join('\n')}\nendsolid part${i}`;
    })
    .join('\n');

const plyOf = (mesh: MeshData): string => {
  const points = corners(mesh);
  const faces = Array.from({ length: points.length / 3 }, (_, i) => `3 ${3 * i} ${3 * i + 1} ${3 * i + 2}`);
  return `ply\nformat ascii 1.0\nelement vertex ${points.length}\nproperty float x\nproperty float y\nproperty float z\nelement face ${faces.length}\nproperty list uchar int vertex_indices\nend_header\n${[...points.map(point => point.join(' ')), ...faces].join('\n')}\n`;
};

const give = (page: Page, ...files: Given[]): Promise<void> =>
  page.setInputFiles(
    '#files',
    files.map(({ name, text: content }) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content as string),
    })),
  );

const moved = ({ positions, indices }: MeshData, x: number): MeshData => ({
  positions: positions.map((value, i) => (i % 3 === 0 ? Math.fround(value + x) : value)),
  indices,
});
const ball = sphere(200);
const crate = moved(box(), 0.75);
const far = moved(box(), 9);
const meeting = (await collide(ball, crate)).count;

pageTest(
  'the page first shows the clashes of the building with class and depth, then those of a file',
  async () => {
    await onPage('clash', async (page, errors) => {
      await until$(page, 'clashes', "$ === '12'");
      assert.equal(
        [await number(page, 'parts'), await number(page, 'triangles'), await number(page, 'triangle-pairs')],
        [94, 5140, 569],
      );
      await until(
        page,
        "[...document.querySelectorAll('#table td:nth-child(2)')].every(cell => cell.textContent === 'hard')",
      );
      const [first] = await page.locator('#table tr').allTextContents();
      assert.is(first, 'upper beam C2-D2sprinkler main upperhard0.20582');
      await give(page, { name: 'both.obj', text: objOf([ball, crate]) });
      await until$(page, 'clashes', "$ === '1'");
      await page.click('#building');
      await until$(page, 'clashes', "$ === '12'");
      assert.equal(errors, []);
    });
  },
);

pageTest(
  'the clashes of the sample are listed, a click on one flies to it and highlights it, and nothing is sent',
  async () => {
    await onPage('clash', async (page, errors) => {
      await until$(page, 'clashes', "$ === '12'");
      const sent: string[] = [];
      page.on('request', request => {
        sent.push(`${request.method()} ${request.url()}`);
      });
      await page.click('#sample');
      await until$(page, 'clashes', "$ === '22'");
      assert.equal(
        [await number(page, 'parts'), await number(page, 'triangles'), await number(page, 'triangle-pairs')],
        [17, 149_000, 9160],
      );
      const whole = await pictureOf(page, '#view', ['lit']);
      assert.ok(whole.colors > 40);
      await page.click('#table tr:nth-child(2) button');
      assert.is(await page.getAttribute('#table tr:nth-child(2)', 'aria-selected'), 'true');
      // Waits until the camera has reached the clash.
      await frames(page, 150);
      assert.ok((await pictureOf(page, '#view', ['lit'])).parts[0] > 0.002);
      await page.click('#whole');
      assert.is(await page.locator('#table [aria-selected=true]').count(), 0);
      assert.equal([sent, errors], [[], []]);
    });
  },
);

pageTest('an IFC file: its clash is shown, and an element that cannot be read is named', async () => {
  const beams = [
    beam('Girder', [0, 0, 0], [4, 0.5, 0.5]),
    beam('Post', [0, 0, 0.25], [0.5, 0.5, 3], 'IFCCOLUMN'),
    beam('Broken', [0, 9, 0], [1, 1, 1]),
  ];
  const text = ifc(beams).replace('#306=IFCEXTRUDEDAREASOLID(#307', '#306=IFCEXTRUDEDAREASOLID(#999');
  await onPage('clash', async (page, errors) => {
    await give(page, { name: 'frame.ifc', text });
    await until$(page, 'clashes', "$ === '1'");
    await until(page, "document.querySelector('#table td:nth-child(2)').textContent === 'hard'");
    assert.is(await page.textContent('#table td:nth-child(3)'), '0.25');
    assert.match(await textOf(page, 'message'), /1 element could not be read, .*: IfcBeam Broken /);
    assert.match(
      (await page.textContent('#table tr'))!,
      /IfcBeam Girder.*IfcColumn Post|IfcColumn Post.*IfcBeam Girder/,
    );
    assert.equal([await number(page, 'parts'), errors], [2, []]);
  });
});

// The test is registered only if the truth data is present.
if (hasData)
  pageTest.slow('a house of 215 elements in IFC: clash and candidate counts match the truth', async () => {
    const truth = JSON.parse(readFileSync(dataPath('bim/duplex-truth.json'), 'utf8'));
    await onPage('clash', async (page, errors) => {
      await give(page, { name: 'duplex.ifc', text: gunzipSync(readFileSync(dataPath('bim/duplex.ifc.gz'))) });
      await until$(page, 'clashes', `$ === '${truth.part_pairs.length}'`);
      assert.match(await textOf(page, 'message'), `${truth.part_box_pairs} pairs of parts`);
      assert.equal([await number(page, 'parts'), errors], [215, []]);
    });
  });

pageTest.slow('GLB, OBJ, STL and PLY files give the same clash as in Node', async () => {
  const glb = writeGlb([
    { name: 'ball', ...ball, transform: translation([0, 0, 0]) },
    { name: 'crate', ...box(), transform: translation([0.75, 0, 0]) },
  ]);
  const given: Given[][] = [
    [{ name: 'both.glb', text: glb }],
    [{ name: 'both.obj', text: objOf([ball, crate]) }],
    [{ name: 'both.stl', text: stlOf([ball, crate]) }],
    [
      { name: 'ball.ply', text: plyOf(ball) },
      { name: 'crate.PLY', text: plyOf(crate) },
    ],
  ];
  for (const files of given) {
    await onPage('clash', async (page, errors) => {
      await give(page, ...files);
      await until$(page, 'message', '/clash|wrong|read|none/.test($)');
      assert.match(await textOf(page, 'message'), '1 clash (1 pair of parts');
      assert.equal(
        [await number(page, 'parts'), await number(page, 'clashes'), await number(page, 'triangle-pairs')],
        [2, 1, meeting],
        files[0].name,
      );
      assert.equal(errors, []);
    });
  }
});

pageTest.slow('frames are drawn only after a change', async () => {
  const before =
    'globalThis.draws = 0; const draw = WebGL2RenderingContext.prototype.drawElements; WebGL2RenderingContext.prototype.drawElements = function (...how) { draws++; draw.apply(this, how); };';
  await onPage(
    'clash',
    async page => {
      const drawn = (): Promise<number> => page.evaluate('draws');
      const rests = (): Promise<unknown> =>
        page.waitForFunction(
          'new Promise((done) => { const before = draws; setTimeout(() => done(draws === before), 400); })',
        );
      const draws = async (act: () => Promise<unknown>): Promise<void> => {
        await rests();
        const count = await drawn();
        await act();
        await page.waitForFunction(`draws > ${count}`);
      };
      await give(page, { name: 'both.obj', text: objOf([ball, crate]) });
      await until$(page, 'clashes', "$ === '1'");
      await draws(() => page.click('#table button'));
      await draws(() => page.click('#theme'));
      await draws(() => page.setViewportSize({ width: 900, height: 600 }));
      await draws(() => page.click('#whole'));
      await draws(async () => {
        await page.mouse.move(300, 300);
        await page.mouse.down();
        await page.mouse.move(340, 320, { steps: 4 });
        await page.mouse.up();
      });
      await rests();
    },
    { before },
  );
});

pageTest.slow(
  'during a search, table rows of the previous parts select nothing; a file opened meanwhile is searched next',
  async () => {
    await onPage('clash', async (page, errors) => {
      await page.click('#sample');
      await until$(page, 'clashes', "$ === '22'");
      await page.evaluate(`new MutationObserver(() => {
      if (document.getElementById('message').textContent.startsWith('Searching')) [...document.querySelectorAll('#table button')].at(-1)?.click();
    }).observe(document.getElementById('message'), { childList: true, characterData: true, subtree: true })`);
      await give(page, { name: 'apart.obj', text: objOf([ball, far]) });
      await give(page, { name: 'both.obj', text: objOf([ball, crate]) });
      await until$(page, 'clashes', "$ === '1'");
      await page.waitForTimeout(300);
      assert.equal(
        [await number(page, 'parts'), await number(page, 'triangle-pairs'), errors],
        [2, meeting, []],
      );
      assert.is(await page.locator('.view-message[role=alert]').count(), 0);
    });
  },
);

pageTest.slow('dropped files are searched', async () => {
  await onPage('clash', async page => {
    await page.evaluate(
      content => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], 'both.obj'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
      },
      objOf([ball, crate]),
    );
    await until$(page, 'clashes', "$ === '1'");
  });
});

pageTest.slow(
  'the page explains that there is no clash or only one part, or that a file cannot be read, and continues to work',
  async () => {
    await onPage('clash', async (page, errors) => {
      const said = async (expected: string, ...files: Given[]): Promise<void> => {
        await give(page, ...files);
        await until(
          page,
          `document.getElementById('message').textContent.includes(${JSON.stringify(expected)})`,
        );
      };
      await said('No two of the 2 parts share a point', { name: 'apart.obj', text: objOf([ball, far]) });
      assert.is(await textOf(page, 'table-hint'), 'No clashes.');
      await said('There is only one part', { name: 'one.obj', text: objOf([ball]) });
      await said('notes.txt is not a GLB, IFC, STL, OBJ or PLY file.', { name: 'notes.txt', text: 'hello' });
      await said('save it as GLB', { name: 'scene.gltf', text: '{}' });
      await said('empty.obj has no triangles.', { name: 'empty.obj', text: '' });
      await said('broken.glb could not be read', { name: 'broken.glb', text: 'glTF but not really' });
      await said('is damaged', { name: 'wild.obj', text: 'o wild\nv 0 0 0\nv 1 0 0\nf 1 2 7\n' });
      assert.is(await number(page, 'parts'), 1);
      await said('1 clash', { name: 'both.obj', text: objOf([ball, crate]) });
      assert.is(await page.locator('#message.is-wrong').count(), 0);
      assert.equal(errors, []);
    });
  },
);

test.after(closeBrowser);
test.run();
