/** Progress from 0 to 1; without a value, something is under way and nobody knows how far. */
export function Progress({ label, value }: { label: string; value?: number }) {
  const attributes = value === undefined ? {} : { value: Math.round(value * 100) }
  return <progress class="progress" max={100} {...attributes} aria-label={label} />
}
