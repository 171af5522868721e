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

/** Markup of strangers is never inserted, neither as an attribute nor in an object that is spread into some. */
const noRawMarkup = {
  create(context) {
    const check = (key) => {
      if ((key.name ?? key.value) !== 'dangerouslySetInnerHTML') return
      context.report({ node: key, message: 'Draw elements: no markup is inserted as text.' })
    }
    return { JSXAttribute: ({ name }) => check(name), Property: ({ key }) => check(key) }
  },
}

export default {
  meta: { name: 'vitrine' },
  rules: {
    'no-literal-spread': noLiteralSpread,
    'no-raw-markup': noRawMarkup,
    'no-written-limit': noWrittenLimit,
  },
}
