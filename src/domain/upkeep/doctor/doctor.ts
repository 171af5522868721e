import type { Check, DoctorFinding } from './finding.ts'

export interface Diagnosis {
  check: string
  findings: DoctorFinding[]
}

/** Runs the checks one after the other; one that cannot run is a finding itself. */
export async function* examine(checks: Check[]): AsyncGenerator<Diagnosis> {
  for (const check of checks) {
    const { name } = check
    try {
      yield { check: name, findings: await check.run() }
    } catch (error) {
      const what = `The check failed: ${error instanceof Error ? error.message : String(error)}`
      const remedy = 'Mend what the checks before it have found, then try again.'
      yield { check: name, findings: [{ isFault: true, what, remedy }] }
    }
  }
}

/** A diagnosis in lines for people. */
export function inLines({ check, findings }: Diagnosis): string[] {
  if (findings.length === 0) return [`ok      ${check}`]
  return findings.flatMap(({ isFault, what, remedy }) => [
    `${isFault ? 'FAULT' : 'advice'}${isFault ? ' ' : ''}  ${check}: ${what}`,
    `        ${remedy}`,
  ])
}
