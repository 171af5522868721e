/** JSON that a query has built itself, sent as it is; tests parse and validate it. */
export type JsonText<T> = string & { readonly json: T }
