import type { PackageForm, Kind, TagName } from './kinds.ts'

/** A row of the demo shop's product table; everything else follows from its kind. */
export interface DemoProduct {
  sku: string
  name: string
  brand: string
  kind: Kind
  stock: number
  status?: 'INACTIVE' | 'DELETED'
  /** Turkish, then English. */
  text: string
  ingredients: string
  tags: TagName[]
  /** The hue of its picture, in degrees. */
  hue: number
  /** Overrides the usual pack of its kind. */
  form?: PackageForm
  /** The SKUs in a set; the set also shows their pictures. */
  holds?: string[]
}

export const gul = 'Gül Evi'
export const ada = 'Ada Defne'
export const ege = 'Ege Zeytini'
export const mor = 'Mor Vadi'
export const derya = 'Derya Dermo'
export const nar = 'Nar Çiçeği'
