import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Words as vectors: words of like meaning lie close to each other, in one language or in two. A word is the
 * mean of a row of a table for itself and one for each of its beginnings, found by a hash, so that an
 * inflected or unknown word lies near its relatives. `table/README.md` says where the table comes from.
 */

interface VectorTable {
  dimensions: number
  rows: number
  /** What the values of each row are multiplied by. */
  scales: Float32Array
  values: Int8Array
}

export type Vector = Float32Array

let loaded: VectorTable | undefined

/** Read with the first question: a process that is asked none never pays for it. */
const table = (): VectorTable => (loaded ??= read())

const headerBytes = 16

function read(): VectorTable {
  // In a build the folder lies beside the bundle.
  const file = readFileSync(join(import.meta.dirname, 'table', 'words.bin'))
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
  const [dimensions, rows] = new Uint32Array(bytes, 4, 2) as unknown as [number, number]
  return {
    dimensions,
    rows,
    scales: new Float32Array(bytes, headerBytes, rows),
    values: new Int8Array(bytes, headerBytes + rows * 4),
  }
}

const remembered = new Map<string, Vector>()
const maxRemembered = 20_000
const longestRemembered = 40

/** The vector of a folded word, of length 1. */
export function vectorOfWord(word: string): Vector {
  const known = remembered.get(word)
  if (known) return known
  const vector = normalised(sumOf([word]))
  if (remembered.size === maxRemembered) remembered.clear()
  if (word.length <= longestRemembered) remembered.set(word, vector)
  return vector
}

/** A longer text is a mixture of everything. */
const maxWords = 40

/** The vector of folded words together, of length 1. */
export function vectorOfWords(words: readonly string[]): Vector {
  return normalised(sumOf(words.slice(0, maxWords)))
}

/** From 1, the same, to about 0, nothing in common; both vectors have length 1. */
export function closeness(a: Vector, b: Vector): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

function sumOf(words: readonly string[]): Vector {
  const { dimensions, rows, scales, values } = table()
  const sum = new Float32Array(dimensions)
  for (const word of words) {
    const features = featuresOf(word)
    for (const feature of features) {
      const row = hashOf(feature) % rows
      const weight = scales[row]! / features.length
      const start = row * dimensions
      for (let index = 0; index < dimensions; index++)
        sum[index]! += values[start + index]! * weight
    }
  }
  return sum
}

function normalised(vector: Vector): Vector {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  for (let index = 0; index < vector.length; index++) vector[index]! /= length
  return vector
}

const beginnings = [3, 4, 5, 6, 7]

/** The word itself, and its beginnings. */
export function featuresOf(word: string): string[] {
  if (word.length <= 3) return [`=${word}`]
  const shorter = beginnings.filter((length) => length < word.length)
  return [`=${word}`, ...shorter.map((length) => `^${word.slice(0, length)}`)]
}

const encoder = new TextEncoder()

/** FNV-1a, as the table was trained with. */
export function hashOf(text: string): number {
  let hash = 2166136261
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 16777619) >>> 0
  return hash
}
