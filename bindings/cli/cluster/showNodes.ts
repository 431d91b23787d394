// Shows the nodes of a running cluster. On a terminal, prints a table and redraws it every second; otherwise,
// prints a line whenever the number of nodes changes.
import type { Link } from '../../cluster/link.js';
import { paint, plural } from '../terminal.js';
import { createLiveTable } from './liveTable.js';
import { nodeTable } from './nodeTable.js';
import { watchNodes } from './nodeWatch.js';

/** Interval between updates of the table, in milliseconds. */
const DRAW_EVERY = 1000;

export interface NodeDisplay {
  printLine(line: string): void;
  end(): void;
}

export function showNodes(link: Link, cluster: string, title: string): NodeDisplay {
  const table = createLiveTable();
  const watch = watchNodes(link, cluster);
  let known = 0;
  const timer = setInterval(() => {
    const rows = watch.rows();
    table.draw(`${paint('bold', title)}\n\n${nodeTable(rows)}`);
    if (!table.isLive && rows.length !== known) table.printLine(plural(rows.length, 'node'));
    known = rows.length;
  }, DRAW_EVERY);
  return {
    printLine: table.printLine,
    end() {
      clearInterval(timer);
      watch.close();
      table.end();
    },
  };
}
