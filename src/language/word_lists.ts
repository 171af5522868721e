/** Words and phrases, separated by commas. An asterisk stands for any ending: "brand*, leave out". */
export type WordList = string

/** Any of them is enough. They have no flags. */
export type Patterns = readonly RegExp[]
