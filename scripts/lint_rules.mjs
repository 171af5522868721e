// Lint rules of this house, for oxlint.

const literals = ['ObjectExpression', 'ArrayExpression']

/** A spread means a merge: a literal that is spread into a literal only saves lines. */
const noLiteralSpread = {
  create: (context) => ({
    SpreadElement(node) {
      const { argument } = node
      const spread = argument.type === 'TSAsExpression' ? argument.expression : argument
      if (!literals.includes(spread.type)) return
      context.report({ node, message: 'List the keys or elements themselves.' })
    },
  }),
}

/** A limit in a form is the contract's. */
const noWrittenLimit = {
  create: (context) => ({
    JSXAttribute(node) {
      if (node.name.name !== 'maxLength' || node.value?.expression?.type !== 'Literal') return
      context.report({ node, message: 'Read the limit from src/generated/limits.ts.' })
    },
  }),
}

export default {
  meta: { name: 'vitrine' },
  rules: { 'no-literal-spread': noLiteralSpread, 'no-written-limit': noWrittenLimit },
}
