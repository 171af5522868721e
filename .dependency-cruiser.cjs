/**
 * The floors of the house, ground first. A file may import its own floor and those below it.
 * adapters, access and oauth stand beside domain: they serve the floors above and use those below.
 */
const floors = [
  '^src/generated/',
  '^src/core/',
  '^src/db/',
  '^src/adapters/',
  '^src/queries/',
  '^src/domain/',
  '^src/access/',
  '^src/oauth/',
  '^handlers/',
  '^src/surfaces/',
]

const upward = floors.slice(0, -1).map((floor, index) => ({
  name: `imports-only-go-down-from-${floor.replace(/\W/g, ' ').trim().replace(/ /g, '-')}`,
  severity: 'error',
  from: { path: floor },
  // Types that join contract and handlers stand above the floors and may be seen by all of them.
  to: { path: [...floors.slice(index + 1), '^src/[^/]+\\.ts$'], pathNot: '^src/operation\\.ts$' },
}))

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'surfaces-do-not-know-handlers',
      comment: 'Handlers reach the surfaces through createApp.',
      severity: 'error',
      from: { path: '^src/surfaces/' },
      to: { path: ['^handlers/', '^src/[^/]+\\.ts$'], pathNot: '^src/operation\\.ts$' },
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
      comment: 'They run in a browser, as a client like any other: of ours they see types.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: {
        path: ['^src/', '^handlers/', '^codegen/'],
        pathNot: ['^src/web/', '^src/generated/types\\.ts$'],
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
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
}
