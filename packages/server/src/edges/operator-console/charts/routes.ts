import { chartsOf } from '../../../domain/overview/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { chartsPage } from './page.ts'
import { rangeFrom } from './range.ts'

export const CHARTS: Section = {
  views: [{ path: '/charts', show: charts }],
  forms: [],
  said: { tr: {}, en: {} },
}

async function charts(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const range = rangeFrom(query, viewer.now)
  return { page: chartsPage(viewer, range, await chartsOf(app, range)) }
}
