/*
 * Every number by which sentences are weighed. They were found on the evaluation set: change one, and
 * `npm run evaluate` tells what it does to the answers.
 */

/** How strongly a text has a term of a question. */
export const strengths = {
  /** The word itself or a form of it: "washing" in "Wash at 30 degrees". */
  word: 1,
  /** A synonym that the shop has entered. */
  synonym: 0.95,
  /** One of the term's meanings: "perfume" in "unscented". */
  meaning: 0.85,
  /** Added in the share of the meanings that are had: "bear" may be an animal or a load. */
  allMeanings: 0.1,
  /** A kind of what is asked about: "nuts" in "with almonds", not the other way round. */
  kind: 0.8,
  /** A word that is in no lexicon, with one letter wrong: "niacinamdie". */
  misspelling: 0.8,
  /** A word that lies near it in the table of words. */
  near: 0.8,
  /** A meaning that has to do with it: "weather" in "keeps the rain out". */
  related: 0.45,
}

/** From here on a text says the term: everything but what is only related. */
export const strong = 0.7
/** From here on it has to do with the term, which is enough where harm could follow. */
export const somehow = 0.4
/** The thing itself, not one of its kind: what has no butter may have milk. */
export const itself = 0.85

/** How close vectors must be. */
export const near = {
  /** Of a word to another, to stand for it: hardly any two words by chance are. */
  word: 0.6,
  /** The same where the meaning of the word is known, but that of the other may not be. */
  knownWord: 0.72,
  /** Of a sentence to a question, to be shown as the closest there is where none answers. */
  closest: 0.24,
  /** Of the one sentence with a number of the kind that is asked for, to answer by it. */
  onlyNumber: 0.25,
  /** A sentence that has half of the topics at most is doubted if it is less close, and so many are closer. */
  doubted: { closeness: 0.15, rank: 4 },
  /** What closeness counts beside what else speaks for a sentence. */
  weight: 0.3,
  /** Of a product, by what it is, to what is asked for: what it counts, and to be named by it alone. */
  product: { weight: 2, least: 0.35 },
}

/** How much a term of a question counts in the share that a sentence says. */
export const weights = {
  /** What is asked about: "gluten". */
  heavy: 1,
  /** What says little by itself: "use". */
  light: 0.3,
  /** What says which product is meant, because its name has it. */
  context: 0.2,
  /** What only names the number that is asked for: "weight" in "What is its weight?" */
  measured: 0,
}

/** What a sentence scores beside the share that it says, by why it may be an answer. */
export const bonuses = {
  /** It has the number or kind of thing that is asked for, and a topic: "weighs 300 g". */
  wanted: 0.5,
  /** It has what is asked for, but nothing of the one topic: "Oak", asked for a table's material. */
  wantedAlone: 0.3,
}

/** A number that is asked for may be said in words, "knee-length", which counts by this much. */
export const inWords = 0.5

/**
 * The share of the topics that a sentence must cover. The more topics a question has, the fewer stand
 * in one sentence.
 */
export const enough = {
  /** "Does it have a lid?" must be about the lid. */
  whether: 0.5,
  /** Up to three topics: one of them. */
  few: { topics: 3, share: 0.3 },
  /** Up to six: two of them, or one of four. */
  several: { topics: 6, share: 0.25 },
  many: 0.15,
}

/** What is only related covers a topic by half, and alone answers nothing unless there are two. */
export const relatedCover = { each: 0.5, alone: 0.5, least: 2 }
