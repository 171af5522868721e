import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readContract } from '../../src/core/contract_documents.ts'
import * as enums from '../../src/generated/enums.ts'
import { scopes } from '../../src/generated/operations.ts'
import { formatReasons, patternReasons, typeReasons } from '../../src/surfaces/call/field_errors.ts'
import { defaultLanguage, languages, serviceTexts } from '../../src/texts/languages.ts'

type Texts = Record<string, Record<string, string>>

const document = readContract()

const defaults: Texts = serviceTexts[defaultLanguage]
const others = languages.filter((language) => language !== defaultLanguage)

function placesIn(message: string): string[] {
  return [...new Set(message.match(/\{\w+\}/g))].sort()
}

const shapeOf = (texts: Texts) =>
  Object.entries(texts).flatMap(([group, messages]) =>
    Object.entries(messages).map(([key, message]) => [`${group}.${key}`, placesIn(message)]),
  )

describe.each(others)('the texts of the service in %s', (language) => {
  test('have the keys of the default language, with the same placeholders', () => {
    const { scopes: scopeTexts, importStatuses, ...texts } = serviceTexts[language]
    expect(shapeOf(texts)).toEqual(shapeOf(defaults))
    expect(Object.keys(scopeTexts)).toEqual(Object.keys(scopes))
    expect(Object.keys(importStatuses)).toEqual(enums.ProductStatus)
  })
})

describe('a text of the service', () => {
  const isServed = (file: string) =>
    /\.tsx?$/.test(file) && !/^src\/(texts|web|generated)\//.test(file.replaceAll('\\', '/'))
  const files = ['src', 'handlers']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter(isServed)
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')

  test('is used, if it is a refusal', () => {
    const noun = (key: string) => key.charAt(6).toLowerCase() + key.slice(7)
    const isUsed = (key: string) =>
      source.includes(`'${key}'`) || (key.startsWith('noSuch') && source.includes(`'${noun(key)}'`))
    expect(Object.keys(serviceTexts.en.refusals).filter((key) => !isUsed(key))).toEqual([])
  })

  test('is used, if it belongs to a page, a mail or the assistant', () => {
    const unused = Object.entries(defaults)
      .flatMap(([group, messages]) => (group === 'refusals' ? [] : Object.keys(messages)))
      .filter((key) => !new RegExp(`\\b${key}\\b`).test(source))
    expect(unused).toEqual([])
  })
})

type Schema = Record<string, unknown>

/** All schemas of inputs: those of parameters and bodies, with their parts. */
function inputSchemas(): Schema[] {
  const schemas = new Set<Schema>()
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const schema = node as Schema
    if (typeof schema.$ref === 'string') return collect(resolve(schema.$ref))
    if (schemas.has(schema)) return
    schemas.add(schema)
    for (const [name, part] of Object.entries(schema))
      if (name !== 'example' && name !== 'examples' && name !== 'enum') collect(part)
  }
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      const { parameters, requestBody } = operation as Schema
      collect(parameters)
      collect(requestBody)
    }
  return [...schemas]
}

function resolve(ref: string): unknown {
  const names = ref.slice(2).split('/')
  return names.reduce<unknown>((node, name) => (node as Schema)[name], document)
}

describe('a requirement of the contract on input', () => {
  const valuesOf = (keyword: string) =>
    inputSchemas()
      .map((schema) => schema[keyword])
      .filter((value) => typeof value === 'string' || Array.isArray(value))
      .map(String)
  const unique = (values: string[]) => [...new Set(values)].sort()

  test('has a message for each pattern, and none for removed patterns', () => {
    expect(unique(valuesOf('pattern'))).toEqual(Object.keys(patternReasons).sort())
  })

  test('has a message for each format except those that anything matches', () => {
    const unchecked = ['binary', 'password']
    const formats = unique(valuesOf('format')).filter(
      (format) => !unchecked.includes(String(format)),
    )
    expect(formats).toEqual(Object.keys(formatReasons).sort())
  })

  test('has a message for each type', () => {
    expect(unique(valuesOf('type'))).toEqual(Object.keys(typeReasons).sort())
  })
})
