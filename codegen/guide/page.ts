/** A page of the guide, before it is drawn. */
export interface Page {
  /** Its address below /docs/, and with `.md` that of its source. */
  readonly name: string
  readonly title: string
  readonly markdown: string
  /** Pages of one group are listed beside each other. */
  readonly group?: string
}

/** The pages under one title of the contents. */
export interface Chapter {
  readonly title: string
  readonly pages: readonly Page[]
}

/** A link between pages, as it stands in their sources. */
export const linkTo = (label: string, name: string) => `[${label}](/docs/${name}.md)`

export const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
