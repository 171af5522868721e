import { useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { Select } from '../forms/select.tsx'
import { Icon } from './icons.tsx'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'vitrine-theme'

/** Storage may be blocked; it is only a convenience. */
function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system'
  } catch {
    return 'system'
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Applies the theme last chosen on this device. */
export function applyStoredTheme(): void {
  apply(storedTheme())
}

function chooseTheme(theme: Theme): void {
  apply(theme)
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // The choice lasts until the page is closed.
  }
}

/** Light, dark or system theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const t = texts('kit')
  const names = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') }
  return (
    <div class="theme-switch">
      <Icon name="theme" />
      <Select
        label={t('theme')}
        value={theme}
        choices={themes.map((value) => ({ value, label: names[value] }))}
        onChange={(next) => {
          chooseTheme(next)
          setTheme(next)
        }}
      />
    </div>
  )
}
