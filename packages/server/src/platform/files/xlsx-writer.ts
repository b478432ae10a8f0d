import type { Cell, Column } from './table-cells.ts'
import { sheetRow, xmlText } from './table-cells.ts'
import type { ZipWriter } from './zip-writer.ts'

/** A sheet ends at 1,048,576 rows; the next one begins with the same head. */
const ROWS_PER_SHEET = 1_000_000

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Writes rows into sheets as they come. */
export function xlsxWriter(zip: ZipWriter, title: string, columns: Column[], rowsPerSheet = ROWS_PER_SHEET) {
  let sheets = 0
  let rows = 0
  let sheet: ReturnType<ZipWriter['open']> | null = null
  const add = (name: string, text: string) => whole(zip, name, text)

  async function begin() {
    sheet = zip.open(`xl/worksheets/sheet${++sheets}.xml`)
    rows = 0
    await sheet.write(Buffer.from(sheetHead(columns)))
    return sheet
  }

  async function end() {
    await sheet?.write(Buffer.from('</sheetData></worksheet>'))
    await sheet?.end()
    sheet = null
  }

  return {
    async write(list: Cell[][]): Promise<void> {
      for (let from = 0; from < list.length;) {
        if (rows === rowsPerSheet) await end()
        const open = sheet ?? (await begin())
        const some = list.slice(from, from + rowsPerSheet - rows)
        await open.write(Buffer.from(some.map((cells) => sheetRow(columns, cells)).join('')))
        rows += some.length
        from += some.length
      }
    },
    async finish(): Promise<void> {
      if (sheets === 0) await begin()
      await end()
      const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
      await add('xl/workbook.xml', workbook(title, numbers))
      await add('xl/_rels/workbook.xml.rels', relations(numbers))
      await add('xl/styles.xml', STYLES)
      await add('[Content_Types].xml', contentTypes(numbers))
      await add('_rels/.rels', ROOT)
      await zip.finish()
    },
  }
}

const ROOT = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

/** Up to the first row of values; the row with the names stays in view. */
function sheetHead(columns: Column[]): string {
  const widths = columns.map((column, index) => {
    const number = index + 1
    return `<col min="${number}" max="${number}" width="${widthOf(column)}" customWidth="1"/>`
  })
  const pane = '<pane ySplit="1" topLeftCell="A2" state="frozen"/>'
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const names = columns.map(({ name }) => name)
  const head = sheetRow(columns, names, true)
  return `${HEAD}<worksheet xmlns="${MAIN}">${views}<cols>${widths.join('')}</cols><sheetData>${head}`
}

async function whole(zip: ZipWriter, name: string, text: string): Promise<void> {
  const member = zip.open(name)
  await member.write(Buffer.from(text))
  await member.end()
}

function widthOf({ kind, name }: Column): number {
  return Math.max({ text: 26, amount: 18, day: 12 }[kind], name.length + 2)
}

function workbook(title: string, numbers: number[]): string {
  const sheets = numbers.map((number) => {
    const name = number === 1 ? title : `${title} ${number}`
    return `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="rId${number}"/>`
  })
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`
}

function relations(numbers: number[]): string {
  const sheets = numbers.map(
    (number) =>
      `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  const styles = `<Relationship Id="rId${numbers.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/>`
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheets.join('')}${styles}</Relationships>`
}

function contentTypes(numbers: number[]): string {
  const sheets = numbers.map(
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
  )
  const defaults = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`
  const parts = `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>`
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types">${defaults}${parts}${sheets.join('')}</Types>`
}

/** Cell styles by number: plain, amount, day, text that looks like a formula (kept as text when it is edited), head. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/><xf quotePrefix="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`
