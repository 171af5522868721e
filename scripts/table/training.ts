import { hashOf, featuresOf } from '../../src/language/word_vectors.ts'
import { wordsOf } from '../../src/language/words.ts'
import type { Kind } from './pairs.ts'

/*
 * Trains the table so that the texts of a pair lie closer to each other than to the texts of all other pairs
 * of the batch. Only the rows of a batch change, so a step costs what the batch holds.
 */

export interface Plan {
  dimensions: number
  rows: number
  batch: number
  steps: number
  /** How far a row moves at first; falls to nothing. */
  rate: number
  /** The smaller, the more the closest wrong text counts. */
  temperature: number
}

/** The rows of a text and their weights: each word counts once, divided among its features. */
interface Encoded {
  rows: Uint32Array
  weights: Float32Array
}

export function trained(
  kinds: readonly Kind[],
  plan: Plan,
  report: (step: number, loss: number) => void,
): Float32Array {
  const { dimensions, rows, batch, steps } = plan
  const random = randomNumbers(1)
  const table = Float32Array.from({ length: rows * dimensions }, () => (random() - 0.5) * 0.07)
  /** The sum of each row's squared changes, by which its next ones are divided. */
  const changed = new Float32Array(rows)
  const encode = encoderFor(rows)
  const shares = kinds.flatMap(({ share }, index) => Array<number>(share).fill(index))
  let loss = 0
  for (let step = 0; step < steps; step++) {
    const kind = kinds[shares[Math.floor(random() * shares.length)]!]!
    const pairs = Array.from(
      { length: batch },
      () => kind.pairs[Math.floor(random() * kind.pairs.length)]!,
    )
    const lefts = pairs.map(([text]) => encode(text))
    const rights = pairs.map(([, text]) => encode(text))
    const rate = plan.rate * Math.min(1, step / 200) * Math.max(0.02, 1 - step / steps)
    loss += (learn(table, changed, lefts, rights, { ...plan, rate }) - loss) * 0.02
    if (step % 500 === 0) report(step, loss)
  }
  return table
}

function encoderFor(rows: number): (text: string) => Encoded {
  const known = new Map<string, Encoded>()
  return (text) => {
    const earlier = known.get(text)
    if (earlier) return earlier
    const found: number[] = []
    const weights: number[] = []
    for (const word of wordsOf(text).slice(0, 40)) {
      const features = featuresOf(word)
      for (const feature of features) {
        found.push(hashOf(feature) % rows)
        weights.push(1 / features.length)
      }
    }
    const encoded = { rows: Uint32Array.from(found), weights: Float32Array.from(weights) }
    known.set(text, encoded)
    return encoded
  }
}

interface Embedded {
  vector: Float32Array
  length: number
}

function embed(table: Float32Array, { rows, weights }: Encoded, dimensions: number): Embedded {
  const vector = new Float32Array(dimensions)
  for (let place = 0; place < rows.length; place++) {
    const start = rows[place]! * dimensions
    const weight = weights[place]!
    for (let index = 0; index < dimensions; index++)
      vector[index]! += table[start + index]! * weight
  }
  let squares = 1e-12
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  for (let index = 0; index < dimensions; index++) vector[index]! /= length
  return { vector, length }
}

/** One step, both ways: each left text is to find its right one, and the other way round. */
function learn(
  table: Float32Array,
  changed: Float32Array,
  lefts: readonly Encoded[],
  rights: readonly Encoded[],
  { dimensions, temperature, rate }: Plan,
): number {
  const size = lefts.length
  const a = lefts.map((text) => embed(table, text, dimensions))
  const b = rights.map((text) => embed(table, text, dimensions))
  const scores = new Float32Array(size * size)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      scores[row * size + column] = dot(a[row]!.vector, b[column]!.vector) / temperature
  const pulls = pullsOf(scores, size)
  let loss = 0
  for (let row = 0; row < size; row++) loss -= Math.log(1e-9 + 1 + pulls[row * size + row]!)
  const forA = a.map(() => new Float32Array(dimensions))
  const forB = b.map(() => new Float32Array(dimensions))
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const pull = pulls[row * size + column]! / temperature / size
      if (Math.abs(pull) < 1e-7) continue
      const [own, other] = [forA[row]!, forB[column]!]
      const [left, right] = [a[row]!.vector, b[column]!.vector]
      for (let index = 0; index < dimensions; index++) {
        own[index]! += pull * right[index]!
        other[index]! += pull * left[index]!
      }
    }
  for (let row = 0; row < size; row++) {
    apply(table, changed, lefts[row]!, a[row]!, forA[row]!, rate)
    apply(table, changed, rights[row]!, b[row]!, forB[row]!, rate)
  }
  return loss / size
}

/** By how much each score is to fall: its share of its row and column, less one for the right one. */
function pullsOf(scores: Float32Array, size: number): Float32Array {
  const pulls = new Float32Array(size * size)
  const addShares = (at: (line: number, place: number) => number) => {
    for (let line = 0; line < size; line++) {
      let most = -Infinity
      for (let place = 0; place < size; place++) most = Math.max(most, scores[at(line, place)]!)
      let sum = 0
      for (let place = 0; place < size; place++) sum += Math.exp(scores[at(line, place)]! - most)
      for (let place = 0; place < size; place++)
        pulls[at(line, place)]! += Math.exp(scores[at(line, place)]! - most) / sum / 2
    }
  }
  addShares((row, column) => row * size + column)
  addShares((column, row) => row * size + column)
  for (let row = 0; row < size; row++) pulls[row * size + row]! -= 1
  return pulls
}

/** Moves the rows of a text against what pulls at its vector, along the unit sphere. */
function apply(
  table: Float32Array,
  changed: Float32Array,
  { rows, weights }: Encoded,
  { vector, length }: Embedded,
  pull: Float32Array,
  rate: number,
): void {
  const dimensions = vector.length
  const outward = dot(pull, vector)
  let squares = 0
  for (let index = 0; index < dimensions; index++) {
    pull[index] = (pull[index]! - outward * vector[index]!) / length
    squares += pull[index]! * pull[index]!
  }
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!
    const weight = weights[place]!
    changed[row]! += (squares * weight * weight) / dimensions
    const by = (rate * weight) / (Math.sqrt(changed[row]!) + 1e-8)
    const start = row * dimensions
    for (let index = 0; index < dimensions; index++) table[start + index]! -= by * pull[index]!
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

/** Numbers from 0 to 1, always the same ones: the table can be made again. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
