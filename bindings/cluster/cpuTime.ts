// Measures the CPU time of this process in milliseconds, summed over all cores. On platforms that do not
// report CPU time, such as web pages, measures wall-clock time instead.

export function cpuMilliseconds(): number {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
