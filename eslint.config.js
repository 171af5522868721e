import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.data', 'src/generated'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // A spread means a merge: a literal that is spread into a literal only saves lines.
      'no-restricted-syntax': [
        'error',
        ...['ObjectExpression', 'ArrayExpression'].flatMap((literal) =>
          [`SpreadElement > ${literal}`, `SpreadElement > TSAsExpression > ${literal}`].map(
            (selector) => ({ selector, message: 'List the keys or elements themselves.' }),
          ),
        ),
        {
          selector: "JSXAttribute[name.name='maxLength'] Literal",
          message: 'Read the limit from src/generated/limits.ts.',
        },
      ],
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  // Answers over the wire have no static type; tests read them as they come.
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['test/**/*.unit.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: 'vitest',
          importNames: ['inject'],
          message: 'A unit test has no global setup, and so no database and no scratch folder.',
        },
      ],
    },
  },
  { files: ['**/*.{js,mjs,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
)
