/** Outlines on a 24×24 grid, each a single stroked path. */
const outlines = {
  alert:
    'M12 9v4m0 4h.01M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  bag: 'M6 7h12l1 14H5L6 7Zm3 0V6a3 3 0 0 1 6 0v1',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4l2-2Zm4 4h4',
  book: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2Zm0 0v14',
  chart: 'M4 20V10m6 10V4m6 16v-7m4 7H2',
  chat: 'M21 12a8 8 0 0 1-8 8H4l2.2-2.9A8 8 0 1 1 21 12Z',
  check: 'm5 13 4 4L19 7',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3 3',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9V9Zm-4 6H4V4h11v1',
  down: 'M12 5v14m-6-6 6 6 6-6',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.5 2.4 3.8 5.4 3.8 9S14.500 18.600 12 21c-2.500-2.400-3.800-5.400-3.800-9S9.500 5.400 12 3Z',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4v-9Z',
  image: 'M4 5h16v14H4V5Zm0 11 5-5 4 4 3-3 4 4M15.500 9.500h.01',
  inbox: 'M3 13h5l1.500 3h5L16 13h5M5 5h14l2 8v6H3v-6l2-8Z',
  key: 'M8 20a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9Zm3-8 9-9m-4 4 3 3m-6 0 2 2',
  layers: 'm12 3 9 5-9 5-9-5 9-5Zm-9 9 9 5 9-5M3 16l9 5 9-5',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.600-5.600L12 7.200M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.600 5.600L12 16.800',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9c.600-4 3.600-6 8-6s7.400 2 8 6',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-7 9c.500-4 3-6 7-6s6.500 2 7 6M16 4.300a3.500 3.500 0 0 1 0 6.400M18.500 14.500c2 .800 3.200 2.500 3.500 5.500',
  plus: 'M12 5v14M5 12h14',
  replace: 'M4 9h13l-3-3M20 15H7l3 3',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  shield: 'M12 3l8 3v6c0 4.500-3.300 7.800-8 9-4.700-1.200-8-4.500-8-9V6l8-3Z',
  signOut: 'M9 4H5v16h4M15 8l4 4-4 4M19 12H9',
  spark: 'M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2 2-7Z',
  tag: 'M3 4h8l10 10-7 7L4 11V4Zm4.500 4.500h.01',
  theme: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-18v18m3-17v16m3-13v10',
  trash: 'M5 7h14M9 7V4h6v3m-8 0 1 13h8l1-13',
  up: 'M12 19V5m-6 6 6-6 6 6',
  upload: 'M12 16V4m-5 5 5-5 5 5M4 16v4h16v-4',
  wallet: 'M4 7h15v12H4V7Zm0 0 11-3v3m1 6h.01',
} as const

export type IconName = keyof typeof outlines

/** Decorative icon: the text or label beside it carries the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  )
}
