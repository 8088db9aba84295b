import { buildSegment } from '../src/features/docs/search/build-segment.ts'
import { createIndex } from '../src/features/docs/search/search-index.ts'
import { defaultRanking } from '../src/features/docs/search/ranking.ts'
import { search } from '../src/features/docs/search/search.ts'
import { documentsOf, pageOf, questionsOf } from './retrieval-corpus.ts'
import { judge } from '../src/lib/ranking-quality.ts'
for (const c of process.argv.slice(2)) {
 const docs=[...documentsOf('/work/shared/eval', c)]; const paths=new Map(docs.map(d=>[d.id,d.path]))
 const i = createIndex([buildSegment(docs.map(pageOf))])
 const sum=[0,0,0,0]; let n=0
 for (const q of questionsOf('/work/shared/eval', c)) {
  n++
  const r=[[0,0],[0,1.2],[.35,0],[.2,1.2]].map(([sameTitle=0,beginning=0])=>[...new Set(search(i,{query:q.query,limit:50,exclude:(q.exclude??[]).map(x=>paths.get(x)??'')},{...defaultRanking,sameTitle,beginning}).hits.map(h=>h.url.slice(1)))])
  const v=r.map(x=>judge(x,q.relevant).ndcg); v.forEach((x,k)=>sum[k]!+=x)
  if (Math.abs(v[0]!-v[1]!)>.05||Math.abs(v[0]!-v[2]!)>.05) console.log(q.kind,q.query.slice(0,100),v.map(x=>x.toFixed(2)).join(' '),q.relevant.join(','),'|',r[0]![0],r[1]![0],r[2]![0])
 }
 console.log(c,sum.map(x=>(x/n).toFixed(3)).join(' '))
}
