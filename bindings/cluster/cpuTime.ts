// What this process has computed: milliseconds of its cores where the machine tells, else of the clock.

export function cpuMilliseconds(): number {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
