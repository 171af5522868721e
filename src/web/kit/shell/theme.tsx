import { useState } from 'preact/hooks'
import { texts } from '../../language.ts'
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
    <label class="theme-switch">
      <Icon name="theme" />
      <span class="hidden">{t('theme')}</span>
      <select
        value={theme}
        onChange={({ currentTarget }) => {
          const next = themes.find((name) => name === currentTarget.value) ?? 'system'
          chooseTheme(next)
          setTheme(next)
        }}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
