interface SparkProps {
  /** One for each day, oldest first. */
  values: readonly number[]
}

/** The course of a figure; the figure beside it has the numbers. */
export function Spark({ values }: SparkProps) {
  const highest = Math.max(1, ...values)
  const last = Math.max(1, values.length - 1)
  const points = values.map(
    (value, at) => `${((at / last) * 100).toFixed(1)},${(23 - (value / highest) * 22).toFixed(1)}`,
  )
  return (
    <svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}
