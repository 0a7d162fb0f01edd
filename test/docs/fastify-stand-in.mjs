/*
 * The part of Fastify that docs/start/frameworks/fastify.md uses, for machines without it: routes, replies, and answers
 * that are returned.
 */
import { createServer } from 'node:http';

class Reply {
  sent = false;
  #response;

  constructor(response) {
    this.#response = response;
  }

  code(status) {
    this.#response.statusCode = status;
    return this;
  }

  header(name, value) {
    this.#response.setHeader(name, value);
    return this;
  }

  type(value) {
    return this.header('Content-Type', value);
  }

  redirect(address) {
    return this.code(302).header('Location', address).send('');
  }

  send(body) {
    this.sent = true;
    this.#response.end(body);
    return this;
  }
}

export default function Fastify() {
  const routes = new Map();
  const adder = (method) => (path, handler) => void routes.set(`${method} ${path}`, handler);
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const handler = routes.get(`${request.method} ${pathname}`);
    const reply = new Reply(response);
    if (!handler) return void reply.code(404).send('Not found');
    try {
      const answer = await handler({ query: Object.fromEntries(searchParams) }, reply);
      if (!reply.sent) reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    } catch (error) {
      reply.code(500).send(String(error));
    }
  });
  return {
    get: adder('GET'),
    post: adder('POST'),
    listen: ({ port }) => new Promise((resolve) => void server.listen(port, 'localhost', resolve)),
  };
}
