import type { ComponentChildren } from 'preact'
import { type MutableRef, useEffect, useRef } from 'preact/hooks'
import { Icon } from '../shell/icons.tsx'
import { usePopover } from '../shell/use_popover.ts'
import type { Choice } from './choice.ts'

interface PanelProps {
  /** Where the panel opens. */
  button: MutableRef<HTMLElement | null>
  children: ComponentChildren
}

/** Over everything else, at its button. */
export function ChoicePanel({ button, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  usePopover(button, panel)
  return (
    <div class="picker-panel" popover="manual" ref={panel}>
      {children}
    </div>
  )
}

interface ListProps<V extends string> {
  id: string
  label: string
  choices: readonly Choice<V>[]
  chosen: V
  /** The place of the choice that Enter would take. */
  at: number
  onPick: (choice: Choice<V>) => void
  onPoint: (at: number) => void
}

/**
 * What can be chosen. The focus stays in the field that the list belongs to, which names the active choice by
 * `aria-activedescendant`.
 */
export function ChoiceList<V extends string>(props: ListProps<V>) {
  const { id, label, choices, chosen, at, onPick, onPoint } = props
  const list = useRef<HTMLUListElement>(null)
  // What the pointer is at is in sight; moving it would put the pointer at the next.
  const isPointed = useRef(false)
  useEffect(() => {
    const active = list.current?.querySelector('[data-active]')
    if (!isPointed.current) active?.scrollIntoView({ block: 'nearest' })
    isPointed.current = false
  }, [at, choices.length])
  return (
    <ul
      class="plain-list"
      role="listbox"
      id={id}
      aria-label={label}
      ref={list}
      // Browsers let the Tab key stop at what scrolls.
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
    >
      {choices.map((choice, place) => (
        <li
          key={choice.value}
          id={choiceId(id, place)}
          role="option"
          aria-selected={choice.value === chosen}
          data-active={place === at ? '' : undefined}
          onClick={() => onPick(choice)}
          onPointerMove={() => {
            if (place === at) return
            isPointed.current = true
            onPoint(place)
          }}
        >
          <span class="grow clamp">{choice.label}</span>
          {choice.value === chosen ? <Icon name="check" /> : null}
        </li>
      ))}
    </ul>
  )
}

export function choiceId(list: string, place: number): string {
  return `${list}-${place}`
}
