import type { components } from '../../generated/types.ts'

type Design = components['schemas']['WorkspaceDesign']

/** The design of a shop in the customized template until staff choose another. */
export const defaultDesign: Design = {
  sections: ['HERO', 'PRODUCTS', 'COLLECTIONS', 'ABOUT'],
  heroPictures: 1,
  newest: 9,
  columns: 4,
  pictureRatio: '1:1',
  corners: 'SLIGHT',
  isFramed: true,
  paper: '#ffffff',
  night: '#0e0e12',
  isHeadColored: true,
  headingSize: 'LARGE',
  headingWeight: 'BOLD',
}

type AuditState = Record<string, string | number | boolean>

/** A stored design whole: in one that was stored before a field existed, the field has its default. */
export const wholeDesign = (stored: Partial<Design> | null): Design => ({
  ...defaultDesign,
  ...stored,
})

/** What a change of a design is about, before and after, as the audit keeps it. */
export function designChange(
  before: Design,
  after: Design,
): { before: AuditState; after: AuditState } {
  const states: [AuditState, AuditState] = [stateOf(before), stateOf(after)]
  const changed = Object.keys(states[0]).filter((field) => states[0][field] !== states[1][field])
  const [old, next] = states.map((state) =>
    Object.fromEntries(changed.map((field) => [field, state[field]!])),
  )
  return { before: old!, after: next! }
}

function stateOf({ sections, ...rest }: Design): AuditState {
  return { sections: sections.join(', '), ...rest }
}
