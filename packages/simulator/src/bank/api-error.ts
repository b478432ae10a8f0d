export class ApiError extends Error {
  statusCode: number
  constructor(statusCode: number, code: string) {
    super(code)
    this.statusCode = statusCode
  }
}
