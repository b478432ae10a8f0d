/// <reference types="uplot" />
// Draws each chart from its table and hides the table. Dragging asks for the range that was chosen.
{
  const COLOURS = ['--accent', '--amber-line', '--red', '--muted']
  /** So that lines are told apart without colours. */
  const DASHES = [[], [6, 4], [2, 3]]
  const SECONDS: [seconds: number, count: number, unit: string][] = [
    ...([1, 10].map((count) => [count, count, 's']) as [number, number, string][]),
    ...([1, 10].map((count) => [count * 60, count, 'min']) as [number, number, string][]),
    [3600, 1, 'h'],
    ...([1, 10, 100].map((count) => [count * 86_400, count, 'd']) as [number, number, string][]),
  ]
  const UNITS: Record<string, string> = { s: 'sn', min: 'dk', h: 'sa', d: 'gün' }
  /** Steps of an axis that has no fractions. */
  const WHOLE = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
  const HEIGHT = 220
  const language = document.documentElement.lang
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

  type Drawing = { plot: uPlot; resize: () => void }

  /** Solid, hatched, dotted, empty: stacked parts are told apart without colours. */
  function pattern(at: number): string | CanvasPattern {
    const ink = colour(COLOURS[at] ?? '--ink')
    if (at === 0) return ink
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 8
    const pen = canvas.getContext('2d')
    if (!pen) return ink
    // Not transparent: what is behind must not show through.
    pen.fillStyle = colour('--sheet')
    pen.fillRect(0, 0, 8, 8)
    pen.fillStyle = pen.strokeStyle = ink
    pen.lineWidth = 2
    if (at === 1) for (const from of [-8, 0, 8]) pen.stroke(new Path2D(`M${from - 1} 9 L${from + 9} -1`))
    if (at === 2)
      for (const [x, y] of [
        [2, 2],
        [6, 6],
      ] as const)
        pen.fillRect(x - 1, y - 1, 3, 3)
    return pen.createPattern(canvas, 'repeat') ?? ink
  }

  const rowsOf = (card: HTMLElement) => [...card.querySelectorAll<HTMLTableRowElement>('tbody tr')]

  /** Values by series, as the table has them. */
  function valuesOf(card: HTMLElement): (number | null)[][] {
    const rows = rowsOf(card)
    return Array.from({ length: Number(card.dataset['series']) }, (_, at) =>
      rows.map((row) => {
        const value = row.querySelectorAll<HTMLElement>('td')[at]?.dataset['value'] ?? ''
        return value === '' ? null : Number(value)
      }),
    )
  }

  /** What is drawn: the tallest of a stack first, so that the others cover it. Of nothing not even an outline. */
  function dataOf(card: HTMLElement): { series: number[]; data: (number | null)[][] } {
    const values = valuesOf(card)
    if (card.dataset['chart'] === 'lines') return { series: values.map((_, at) => at), data: values }
    const series = values.map((_, at) => values.length - 1 - at)
    const below = (at: number, row: number) => values.slice(0, at).reduce((sum, one) => sum + (one[row] ?? 0), 0)
    const isStack = card.dataset['chart'] === 'stack'
    const data = series.map((at) =>
      (values[at] ?? []).map((value, row) => {
        if (!value) return null
        return isStack ? below(at, row) + value : at === 1 ? -value : value
      }),
    )
    return { series, data }
  }

  function seriesOf(card: HTMLElement, at: number): uPlot.Series {
    const stroke = colour(COLOURS[at] ?? '--ink')
    if (card.dataset['chart'] === 'lines')
      return { stroke, width: 2, dash: DASHES[at] ?? [], points: { show: true, size: 6, fill: stroke } }
    const paths = uPlot.paths.bars?.({ size: [0.7, 48] })
    return { stroke, width: 1, fill: () => pattern(at), points: { show: false }, ...(paths && { paths }) }
  }

  function axesOf(card: HTMLElement, ticks: string[]): uPlot.Axis[] {
    const look = { stroke: colour('--muted'), font: `12px ${getComputedStyle(document.body).fontFamily}` }
    const [grid, none] = [{ stroke: colour('--line'), width: 1 }, { show: false }]
    const cut = (text: string, width: number) =>
      text.length * 7 <= width ? text : `${text.slice(0, Math.max(1, Math.floor(width / 7) - 1))}…`
    const x: uPlot.Axis = {
      ...{ ...look, grid: none, ticks: none, size: 28, space: 56, incrs: [1, 2, 3, 6, 12, 24, 48, 96] },
      values: (plot, splits) =>
        splits.map((at) => {
          const width = plot.bbox.width / devicePixelRatio / Math.max(1, ticks.length)
          return cut(ticks[at] ?? '', Math.max(56, width))
        }),
    }
    const seconds: uPlot.Axis = {
      splits: (_, __, min, max) => SECONDS.map(([value]) => value).filter((value) => value >= min && value <= max),
      values: (_, splits) => splits.map((value) => secondsText(value)),
      filter: (_, splits) => splits,
    }
    const counts: uPlot.Axis = {
      incrs: WHOLE,
      values: (_, splits) => splits.map((value) => compact.format(Math.abs(value))),
    }
    const y = card.dataset['chart'] === 'lines' ? seconds : counts
    return [x, { ...look, grid, ticks: none, size: 56, ...y }]
  }

  function secondsText(wanted: number): string {
    const [, count = 0, unit = ''] = SECONDS.find(([value]) => value === wanted) ?? []
    return `${count} ${language === 'tr' ? UNITS[unit] : unit}`
  }

  /** From a step of the axis to another one, also around a single value. */
  function around(min: number, max: number): [number, number] {
    const steps = SECONDS.map(([value]) => value)
    return [Math.max(1, ...steps.filter((step) => step <= min)), steps.find((step) => step > max) ?? max * 10]
  }

  /** The row below the pointer, in the words of the table. */
  function readOut(card: HTMLElement, at: number | null | undefined): void {
    const row = rowsOf(card)[at ?? -1]
    const heads = [...card.querySelectorAll('thead th')].map((head) => head.textContent ?? '')
    const cells = row ? [...row.cells].map((cell) => cell.textContent?.trim() ?? '') : []
    const texts = cells.map((text, index) => (index === 0 ? text : `${heads[index]}: ${text}`))
    const place = card.querySelector('.readout')
    if (place) place.textContent = texts.join(' · ') || '\u00a0'
  }

  /** A click selects nothing. */
  const MIN_WIDTH = 4

  function choose(card: HTMLElement, plot: uPlot): void {
    const { left, width } = plot.select
    if (width < MIN_WIDTH) return
    const rows = rowsOf(card)
    const [first, last] = [plot.posToIdx(left), plot.posToIdx(left + width)].map((at) => rows[at]?.dataset)
    const [from, to] = [first?.['from'], last?.['to']]
    if (from !== undefined && to !== undefined) location.search = new URLSearchParams({ from, to }).toString()
  }

  function draw(card: HTMLElement): Drawing | null {
    const place = card.querySelector<HTMLElement>('.plot')
    if (!place) return null
    const rows = rowsOf(card)
    const canSelect = rows[0]?.dataset['from'] !== undefined
    const { series, data } = dataOf(card)
    const isLog = card.dataset['chart'] === 'lines'
    const size = () => ({ width: Math.max(200, place.clientWidth), height: HEIGHT })
    const options: uPlot.Options = {
      ...size(),
      legend: { show: false },
      padding: [8, 20, 0, 0],
      cursor: { y: false, points: { show: isLog }, drag: { x: canSelect, y: false, setScale: false } },
      scales: {
        x: { time: false, range: [-0.5, rows.length - 0.5] },
        y: isLog
          ? { distr: 3, range: (_, min, max) => around(min, max) }
          : { range: { min: { pad: 0.1, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 1, mode: 1 } } },
      },
      series: [{}, ...series.map((at) => seriesOf(card, at))],
      axes: axesOf(
        card,
        rows.map((row) => row.dataset['tick'] ?? ''),
      ),
      hooks: {
        setCursor: [(plot) => readOut(card, plot.cursor.idx)],
        setSelect: [(plot) => choose(card, plot)],
      },
    }
    const plot = new uPlot(options, [rows.map((_, at) => at), ...data] as uPlot.AlignedData, place)
    return { plot, resize: () => plot.setSize(size()) }
  }

  for (const one of document.querySelectorAll<HTMLElement>('[data-drawn]')) one.hidden = false
  for (const card of document.querySelectorAll<HTMLElement>('[data-chart]')) {
    const table = card.querySelector('details')
    if (table) table.open = false
    readOut(card, null)
    let drawing = draw(card)
    new ResizeObserver(() => drawing?.resize()).observe(card)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      drawing?.plot.destroy()
      drawing = draw(card)
    })
  }
}
