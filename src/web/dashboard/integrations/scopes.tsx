import type { Schemas } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { texts } from '../../language.ts'

type Scope = Schemas['Scope']

/** Scopes in the order users think of them. */
const groups = {
  'group.catalogue': [
    'products:read',
    'products:write',
    'collections:read',
    'collections:write',
    'tags:read',
    'tags:write',
    'media:read',
    'media:write',
  ],
  'group.account': [
    'account:read',
    'workspaces:read',
    'workspaces:write',
    'workspace:read',
    'workspace:write',
  ],
  'group.site': ['website:read', 'website:write'],
  'group.visitors': ['storefront:read', 'visitors:read', 'visitors:write', 'ai:write'],
} as Record<GroupName, Scope[]>

type GroupName = 'group.catalogue' | 'group.account' | 'group.site' | 'group.visitors'

const allScopes = Object.values(groups).flat()
export const readScopes = allScopes.filter((scope) => scope.endsWith(':read'))

const presets = {
  presetRead: readScopes,
  presetShop: groups['group.visitors'],
  presetAll: allScopes,
  presetNone: [],
} satisfies Record<string, Scope[]>

const presetNames = ['presetRead', 'presetShop', 'presetAll', 'presetNone'] as const
const groupNames = ['group.catalogue', 'group.account', 'group.site', 'group.visitors'] as const

export function scopeText(scope: Scope): string {
  return texts('scopes')(scope)
}

interface ScopePickerProps {
  selected: Scope[]
  error: string | undefined
  onChange: (scopes: Scope[]) => void
}

/** Scopes in groups, each explained, with presets. */
export function ScopePicker({ selected, error, onChange }: ScopePickerProps) {
  const t = texts('integrations')
  return (
    <fieldset class="stack">
      <legend>{t('may')}</legend>
      <div class="chips">
        {presetNames.map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={sameScopes(presets[name], selected)}
            onClick={() => onChange(presets[name])}
          >
            {t(name)}
          </button>
        ))}
      </div>
      {error ? <p class="error">{error}</p> : null}
      <div class="pair">
        {groupNames.map((group) => (
          <fieldset key={group} class="scope-group">
            <legend>{t(group)}</legend>
            {groups[group].map((scope) => (
              <CheckField
                key={scope}
                name="scopes"
                label={scopeText(scope)}
                hint={scope}
                checked={selected.includes(scope)}
                onChange={(checked) =>
                  onChange(checked ? [...selected, scope] : selected.filter((one) => one !== scope))
                }
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}

function sameScopes(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope))
}
