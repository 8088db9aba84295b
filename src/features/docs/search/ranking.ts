/**
 * Weights of the ranking, tuned on the development questions of the retrieval benchmark; measure there before
 * changing one. `…B` is how much a field's length counts, from 0 (not at all) to 1 (fully).
 */
export interface Ranking {
  /** Saturation of repeated words. */
  k1: number
  titleWeight: number
  headingsWeight: number
  pathWeight: number
  titleB: number
  headingsB: number
  pathB: number
  bodyB: number
  /** Weight of the page's title, its path and the headings above a section for that section. */
  sectionTitleWeight: number
  sectionPathWeight: number
  sectionHeadingsWeight: number
  sectionB: number
  /** Weight of a match by stem beside the one by the exact word. */
  stemWeight: number
  stopWeight: number
  /** Share of the page's own score beside that of its sections. */
  pageShare: number
  /** Weight of the second best section; of a lone section once more. */
  secondSection: number
  /**
   * The bonus when title and query cover each other fully, in units of the query's weight; the same for the best
   * section's heading.
   */
  titleBoost: number
  headingBoost: number
  /** How many of the best pages are ranked again by their titles and headings. */
  reranked: number
  /**
   * Among the sections of one page: the least share of its weight that a term keeps which all of them have, weight of
   * the headings above a section, how much its length counts, the share of its best passage's score, and the bonus
   * when its own heading and the query cover each other.
   */
  pageWideShare: number
  headingsInPage: number
  sectionInPageB: number
  passageShare: number
  ownHeadingBoost: number
  /** What a further section of a page counts beside the first sections of the pages after it. */
  furtherShare: number
  /**
   * In units of the way from the thirtieth page to the first one: what a title that is the question gets, and what the
   * page gets with which the site begins, when the question is about nothing in particular. A question whose rarest word
   * is rarer than a share of the rarest possible one is about something.
   */
  sameTitle: number
  beginning: number
  /** What the page gets with which the site begins, when the question is what the product is: its words tell nothing. */
  introducing: number
  specific: number
  /** What the page gets that plays the role a question asks for, such as how to install the product. */
  role: number
  /** What a page gets whose address stands in the question. */
  namedPage: number
}

export const defaultRanking: Ranking = {
  k1: 2,
  titleWeight: 3,
  headingsWeight: 2.5,
  pathWeight: 1,
  titleB: 0.6,
  headingsB: 0.4,
  pathB: 0.3,
  bodyB: 0.4,
  sectionTitleWeight: 2,
  sectionPathWeight: 1,
  sectionHeadingsWeight: 1,
  sectionB: 0.6,
  stemWeight: 0.3,
  stopWeight: 0.1,
  pageShare: 0.35,
  secondSection: 0.5,
  titleBoost: 1,
  headingBoost: 0.6,
  reranked: 40,
  pageWideShare: 0.25,
  headingsInPage: 0.3,
  sectionInPageB: 0.2,
  passageShare: 0.5,
  ownHeadingBoost: 0.2,
  furtherShare: 0.75,
  sameTitle: 0.35,
  beginning: 1.2,
  introducing: 1.6,
  specific: 0.6,
  role: 1.2,
  namedPage: 2,
}
