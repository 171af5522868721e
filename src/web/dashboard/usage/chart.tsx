import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dateFormat } from '../../formats.ts'
import { formatNumber, regional } from '../../language.ts'
import type { Series } from './series.ts'

/** In seconds, as the chart counts. */
const halfDay = 12 * 3600

/** Distinguishable with colour blindness, in light and dark themes. */
const colors = [
  '#2a7f62',
  '#d9822b',
  '#5b6fd6',
  '#c2497c',
  '#8a9a2e',
  '#3f9bb8',
  '#9a6b4f',
  '#7f7f7f',
]

function colorAt(at: number): string {
  return colors[at % colors.length] ?? '#7f7f7f'
}

/** Cumulative layers, so that a bar's height is the day's total. */
function stackLayers({ dates, keys, at }: Series): uPlot.AlignedData {
  const sums = dates.map(() => 0)
  const layers = keys.map((key) =>
    dates.map((date, index) => {
      const value = at(date, key)
      const sum = (sums[index] ?? 0) + value
      sums[index] = sum
      return value === 0 ? null : sum
    }),
  )
  const times = dates.map((date) => Date.parse(date) / 1000)
  // Draw the tallest layer first, so that the others cover it.
  return [times, ...layers.toReversed()] as uPlot.AlignedData
}

function optionsFor(series: Series, width: number, ink: string, grid: string): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  return {
    width,
    height: 260,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    // Half a day of margin at both ends, or the outer bars would be cut off.
    scales: {
      x: { range: (_, min, max) => [min - halfDay, max + halfDay] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map(shortDay) },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(wholeNumber) },
    ],
    series: [
      {},
      ...series.keys
        .map((_, at) => ({
          fill: colorAt(at),
          stroke: colorAt(at),
          points: { show: false },
          ...(bars ? { paths: bars } : {}),
        }))
        .toReversed(),
    ],
  }
}

function shortDay(seconds: number): string {
  const style = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return dateFormat(regional(), style).format(new Date(seconds * 1000))
}

function wholeNumber(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : ''
}

/** Stacked bars per day with a text legend. A table beside it has the numbers. */
export function Chart({ series, label }: { series: Series; label: string }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (!element) return
    const style = getComputedStyle(element)
    const [ink, grid] = [style.color, style.borderTopColor]
    const plot = new uPlot(
      optionsFor(series, element.clientWidth, ink, grid),
      stackLayers(series),
      element,
    )
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: 260 }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [series])
  return (
    <div class="stack">
      <div class="chart" role="img" aria-label={label} ref={container} />
      <ul class="legend">
        {series.keys.map((key, at) => (
          <li key={key}>
            <span class="swatch" style={{ background: colorAt(at) }} aria-hidden="true" />
            {series.nameOf(key)}
          </li>
        ))}
      </ul>
    </div>
  )
}
