// Measures single kernels and small public calls with tinybench. The recorded statistics are tinybench's
// own: samples, median, mean, max, 99th percentile, relative margin of error, and operations per second.

import { createEngine } from '../../dist/index.js';
import { measureCalls } from '../support/callTimes.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount, threadsText } from '../support/machine.js';
import { publicCalls } from '../support/microCalls.js';
import { kernelCalls } from '../support/microKernels.js';
import { isQuick, Report } from '../support/report.js';

const SEED = 1;
const report = new Report('micro', SEED, ['tinybench']);

const single = await createEngine({ threads: 1 });
measureCalls(
  report,
  `kernel, ${threadsText(1)}`,
  await kernelCalls(single, isQuick ? 100_000 : 1_000_000, SEED),
);
single.dispose();
const engines = await createEngines(1, coreCount);
for (const { name, engine } of engines) measureCalls(report, name, publicCalls(engine, SEED));
disposeEngines(engines);
report.save();
