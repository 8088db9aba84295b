/**
 * English words that carry little of a question's meaning. They are indexed like any other word and only
 * weigh less in a query, so that "what is this" still finds a page of that name.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing done down during each either else ever every few for from further get gets getting
  got had has have having he her here hers him his how however i if in into is it its itself just let like
  may me might mine more most much must my no nor not now of off on once only onto or other our ours out over own per
  please same shall she should since so some such than that the their theirs them then there these they this those
  through to too under until up upon us use used uses using very via want was way we well were what when where whether
  which while who whom whose why will with within without would you your yours
  cant dont doesnt didnt isnt arent wont wouldnt shouldnt couldnt im ive id ill youre theyre thats whats lets`.split(
    /\s+/,
  ),
)
