// Measures the CPU time of this process in milliseconds, over all cores. Where the platform does not report
// it, as on pages, it is wall-clock time.

export function cpuMilliseconds(): number {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
