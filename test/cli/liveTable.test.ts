// Tests the tables that commands of `pfront cluster` update while they run. On a terminal, a table is redrawn
// in place, and lines that do not fit on the screen are cut. If the output is not a terminal, no table is
// drawn: only the lines that are passed to `printLine` are written.

import * as assert from 'uvu/assert';
import { bytesText, createLiveTable, createRowFormatter } from '../../dist/cli/cluster/liveTable.js';
import { test } from '../support/test.js';

function stream(isTTY: boolean, columns = 20, rows = 5): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  return {
    written,
    stream: {
      isTTY,
      columns,
      rows,
      write: (text: string) => written.push(text),
    } as unknown as NodeJS.WriteStream,
  };
}

test('on a terminal, each drawing replaces the previous one', () => {
  const terminal = stream(true);
  const table = createLiveTable(terminal.stream);
  assert.is(table.isLive, true);
  table.draw('one\ntwo');
  table.draw('three');
  table.printLine('stays');
  table.draw('four');
  table.end();
  table.draw('five');
  assert.equal(terminal.written, [
    'one\ntwo\n',
    '\x1b[2A\x1b[0Jthree\n',
    '\x1b[1A\x1b[0Jstays\n',
    'four\n',
    'five\n',
  ]);
});

test('lines are cut to the width of the terminal, and lines beyond its height are left out', () => {
  const terminal = stream(true);
  const table = createLiveTable(terminal.stream);
  table.draw(['\x1b[1mbold, and far too long for it\x1b[22m', 'b', 'c', 'd', 'e', 'f'].join('\n'));
  assert.equal(terminal.written, ['bold, and far too…\nb\nc\nd\n']);
});

test('without a terminal, nothing is drawn, and only the lines of `printLine` are written', () => {
  const pipe = stream(false);
  const table = createLiveTable(pipe.stream);
  const { head, row } = createRowFormatter([
    { title: 'step', width: 6 },
    { title: 'met', width: 2 },
  ]);
  assert.is(table.isLive, false);
  table.draw('one');
  table.printLine(head);
  table.printLine(row([7, 12]));
  assert.equal(pipe.written, ['  step  met\n', '     7   12\n']);
});

test('numbers of bytes are printed with a suitable unit', () =>
  assert.equal([0, 999, 1000, 1_234_567, 2e9].map(bytesText), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.2 MB',
    '2.0 GB',
  ]));

test.run();
