/** Progress from 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }) {
  return <progress class="progress" max={100} value={Math.round(value * 100)} aria-label={label} />
}
