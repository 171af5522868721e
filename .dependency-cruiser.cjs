/**
 * The floors, ground first. A file may import its own floor and those below it. adapters, access
 * and oauth stand beside domain: they serve the floors above and use those below.
 */
const floors = [
  '^src/texts/',
  '^src/generated/(?!migrations\\.ts)',
  '^src/core/',
  '^src/(language|fairness|settings)/',
  // The list of migrations is generated, but belongs to the database.
  '^src/(db/|generated/migrations\\.ts)',
  '^src/adapters/',
  '^src/queries/',
  '^src/domain/',
  '^src/access/',
  '^src/oauth/',
  '^handlers/',
  '^src/site/',
  '^src/surfaces/',
]

/** src/operation.ts joins contract and handlers by types alone: every floor above core may see it. */
const joint = '^src/operation\\.ts$'

const upward = floors.slice(0, -1).map((floor, index) => ({
  name: `imports-only-go-down-from-${floor.replace(/\W/g, ' ').trim().replace(/ /g, '-')}`,
  severity: 'error',
  from: { path: floor },
  to: {
    path: [...floors.slice(index + 1), '^src/[^/]+\\.ts$'],
    ...(index > floors.indexOf('^src/core/') && { pathNot: joint }),
  },
}))

/**
 * The wings of domain and queries. A wing imports another only as listed here, with the reason.
 */
const wings = {
  catalogue: {
    media: 'products and collections answer their images',
  },
  change_sets: {
    catalogue: 'a set writes many products as their own operations do',
    credits: 'what a set writes stands in the activities',
    media: 'rows of a file name pictures by their URLs',
  },
  people: {
    agents: 'an address that is taken back ends the keys and agents added since',
    upkeep: 'codes and links to sign in are mailed',
  },
  agents: {
    people: 'a key or grant calls as the account that gave it',
    administration: 'sources are a list of the whole service',
  },
  media: {
    catalogue: 'an image that is replaced or deleted changes the counters of its workspace',
    people: 'an upload address calls as the account that asked for it',
  },
  site: {
    catalogue: 'feedback stands in the change feed, which webhooks follow',
    people: 'a customer signs in with a one-time code; a workspace has an owner',
    credits: 'visits and sign-ins are usage events',
    media: 'bootstrap and pages show the logo',
    administration: 'feedback is a list of the whole service',
    upkeep: 'owners are told by mail that a domain is lost',
  },
  assistant: {
    catalogue: 'answers quote what the catalogue says',
    media: 'pictures in a chat pass the same checks as uploads',
  },
  credits: {
    catalogue: 'a low balance stands in the change feed, which webhooks follow',
    site: 'the site sets the daily quota of the visitor who is metered',
    agents: 'a publishable key has a budget of credits a day',
    people: 'a low balance is told to whom the workspace is billed',
    upkeep: 'a low balance is told by mail',
  },
  administration: {
    people: 'staff addresses follow the sign-in rules',
    upkeep: 'staff are told by mail',
  },
  webhooks: {
    people: 'owners are told that a webhook is disabled',
    upkeep: 'they are told by mail',
  },
  upkeep: {
    people: 'the sweep mails members what waits for them',
    agents: 'the sweep removes idle clients',
    media: 'the sweep removes files without a row',
    catalogue: 'the sweep knows how long a deleted product is kept',
    credits: 'the sweep releases expired reservations',
    site: 'the sweep looks at the domains of shops',
  },
}

const inWing = (name) => `^src/(domain|queries)/${name}/`

const sideways = Object.entries(wings).map(([wing, mayImport]) => ({
  name: `${wing}-imports-only-listed-wings`,
  severity: 'error',
  from: { path: inWing(wing) },
  to: { path: inWing('[^/]+'), pathNot: [wing, ...Object.keys(mayImport)].map(inWing) },
}))

/** What each room of the assistant builds on; the files beside them put the rooms together. */
const rooms = {
  understanding: [],
  finding: ['understanding'],
  built_in: ['understanding', 'finding'],
  provider: ['understanding', 'finding', 'built_in'],
}

const inRoom = (name) => `^src/domain/assistant/${name}/`

const betweenRooms = Object.entries(rooms).map(([room, mayImport]) => ({
  name: `assistant-${room}-builds-on-what-is-listed`,
  severity: 'error',
  from: { path: inRoom(room) },
  to: { path: inRoom('[^/]+'), pathNot: [room, ...mayImport].map(inRoom) },
}))

/** What each folder of surfaces/ builds on; the origins at the top build on all of them. */
const surfaces = {
  call: [],
  http: ['call'],
  pages: ['call', 'http'],
  endpoints: ['call', 'http', 'pages'],
  mcp: ['call', 'http'],
  oauth: ['call', 'http', 'pages', 'mcp'],
  shops: ['call', 'http', 'pages', 'mcp'],
}

const betweenSurfaces = Object.entries(surfaces).map(([folder, mayImport]) => ({
  name: `surfaces-${folder}-builds-on-what-is-listed`,
  severity: 'error',
  from: { path: `^src/surfaces/${folder}/` },
  to: {
    path: '^src/surfaces/',
    pathNot: [folder, ...mayImport].map((name) => `^src/surfaces/${name}/`),
  },
}))

/** What `npm start` and `npm run build` run, and the programs of operators. */
const builtWith = [
  '^scripts/(start|build|build_pages|freshness|package_script|service_files|stop_with_parent)\\.mjs$',
  '^scripts/ensure_(dependencies|generated)\\.mjs$',
  '^scripts/operator/',
]

module.exports = {
  forbidden: [
    ...upward,
    ...sideways,
    ...betweenRooms,
    ...betweenSurfaces,
    {
      name: 'every-file-has-a-wing',
      comment: 'A new folder is listed above, with what it may import.',
      severity: 'error',
      from: {},
      to: {
        path: '^src/(domain|queries)/[^/]+/',
        pathNot: Object.keys(wings).map(inWing),
      },
    },
    {
      name: 'surfaces-do-not-know-handlers',
      comment: 'Handlers reach the surfaces through createApp.',
      severity: 'error',
      from: { path: '^src/surfaces/' },
      to: { path: ['^handlers/', '^src/[^/]+\\.ts$'], pathNot: joint },
    },
    {
      name: 'only-queries-and-db-build-sql',
      comment: 'Other floors know kysely by its types alone.',
      severity: 'error',
      from: { path: ['^src/', '^handlers/'], pathNot: ['^src/(queries|db)/'] },
      to: { path: 'node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-know-the-contract-alone',
      comment:
        'They run in a browser, as a client like any other: of ours they see what the contract generates, and texts.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: {
        path: ['^src/', '^handlers/', '^codegen/'],
        pathNot: ['^src/web/', '^src/texts/', '^src/generated/(types|limits|enums|roles)\\.ts$'],
      },
    },
    {
      name: 'nobody-imports-pages',
      severity: 'error',
      from: { path: ['^src/', '^handlers/', '^codegen/'], pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'codegen-stands-alone',
      severity: 'error',
      from: { path: '^codegen/' },
      to: { path: ['^src/', '^handlers/'] },
    },
    {
      name: 'the-product-does-not-know-its-tests',
      severity: 'error',
      from: { path: ['^src/', '^handlers/', '^codegen/'] },
      to: { path: ['^test/', '^scripts/'] },
    },
    {
      name: 'what-builds-and-runs-needs-no-package-of-tests',
      comment:
        'It is one of dependencies: where the service is built or runs, devDependencies are not installed.',
      severity: 'error',
      from: { path: ['^src/', '^handlers/', '^codegen/', ...builtWith] },
      // Types are gone once it is built; those of packages without their own are installed apart.
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
    },
    {
      name: 'unit-tests-need-no-database-and-no-browser',
      comment: 'They run without the global setup. Rename the test, or split it.',
      severity: 'error',
      from: { path: '\\.unit\\.test\\.ts$' },
      to: {
        path: ['^test/kit/(global_setup|database|service)\\.ts$', 'node_modules/playwright-core/'],
        reachable: true,
      },
    },
    {
      name: 'no-circles',
      comment: 'Circles of types count: a type that two files need gets a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^\\.\\./dist/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs of others, a library that is bundled already, and sources of another package.
    exclude: { path: '^(test/clients|src/adapters/faces|scripts/client/source)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
}
