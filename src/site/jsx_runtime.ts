/**
 * What JSX becomes in pages that the service draws: plain objects, which `render` writes as HTML. Not
 * preact's, because its types bring the browser's into the whole service; its components would be drawn
 * alike.
 */
export interface Drawing {
  type: string | Component
  props: Properties
}

export type Drawable = Drawing | string | number | boolean | null | undefined | readonly Drawable[]

type Properties = Record<string, unknown>
type Component = (props: never) => Drawable

export const jsx = (type: Drawing['type'], props: Properties): Drawing => ({ type, props })
export { jsx as jsxs, jsx as jsxDEV }

export const Fragment = ({ children }: { children?: Drawable }): Drawable => children

interface Attributes {
  children?: Drawable
  [name: string]: unknown
}

// oxlint-disable-next-line typescript/no-namespace -- TypeScript looks for the types under this name.
export declare namespace JSX {
  type Element = Drawing
  type ElementType = string | ((props: never) => Drawable)
  interface IntrinsicElements {
    [name: string]: Attributes
  }
  interface IntrinsicAttributes {
    key?: string | number
  }
  interface ElementChildrenAttribute {
    children: unknown
  }
}
