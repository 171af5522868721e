import type { Form, Kind, TagName } from './kinds.ts'

/** A product of the demo shop as its table states it; the rest follows from its kind. */
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
  /** The colour of its picture, as degrees of the colour circle. */
  hue: number
  /** Where the pack is not the usual one of its kind. */
  form?: Form
  /** The SKUs that a set holds; it shows their pictures, too. */
  holds?: string[]
}

export const gul = 'Gül Evi'
export const ada = 'Ada Defne'
export const ege = 'Ege Zeytini'
export const mor = 'Mor Vadi'
export const derya = 'Derya Dermo'
export const nar = 'Nar Çiçeği'
