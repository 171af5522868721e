/** Microseconds of CPU that one run of the work costs this process, after a warm-up. */
export async function cpuMicroseconds(
  runs: number,
  work: (run: number) => Promise<unknown>,
): Promise<number> {
  for (let run = 0; run < runs / 4; run++) await work(run)
  const before = process.cpuUsage()
  for (let run = 0; run < runs; run++) await work(run)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runs
}
