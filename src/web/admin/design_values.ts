import * as enums from '../../generated/enums.ts'
import type { Schemas } from '../api.ts'
import { numberIn } from '../kit/forms/fields.tsx'

type Design = Schemas['WorkspaceDesign']
type Section = Schemas['HomeSection']

/** The form's values; keys are fields of the contract. */
export interface DesignValues extends Omit<
  Design,
  'sections' | 'heroPictures' | 'newest' | 'columns'
> {
  /** Of each place on the home page, what stands there; the empty ones are left out. */
  sections: (Section | '')[]
  heroPictures: string
  newest: string
  columns: string
}

export function valuesOf(design: Design): DesignValues {
  return {
    ...design,
    sections: enums.HomeSection.map((_, place) => design.sections[place] ?? ''),
    heroPictures: String(design.heroPictures),
    newest: String(design.newest),
    columns: String(design.columns),
  }
}

export function designOf(values: DesignValues): Design {
  return {
    ...values,
    sections: values.sections.filter((section) => section !== ''),
    heroPictures: numberIn(values.heroPictures) as Design['heroPictures'],
    newest: numberIn(values.newest),
    columns: numberIn(values.columns),
  }
}

/** The places after one of them is given a section: the place that had it takes what was here. */
export function placed(
  places: DesignValues['sections'],
  at: number,
  section: Section | '',
): DesignValues['sections'] {
  const before = section === '' ? -1 : places.indexOf(section)
  return places.map((each, place) =>
    place === at ? section : place === before ? places[at]! : each,
  )
}
