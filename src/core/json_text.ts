/** JSON built by a query and sent as is. Tests parse and validate it. */
export type JsonText<T> = string & { readonly json: T }
