'use strict';

const fs = require('fs');
const path = require('path');
const { parseQuery, readBody, sendError, sendJson } = require('./http');

const ROUTES_FILE = 'routes.json';
const MAX_BODY = 1024 * 1024;
const TIMEOUT = 5000;

const MIME = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  png: 'image/png',
};

/**
 * A router: which handler answers a request.
 */
class Router {
  constructor(options = {}) {
    this.options = Object.assign({ strict: false, timeout: TIMEOUT }, options);
    this.routes = [];
    // Handlers that see every request, in the order they were added.
    this.before = [];
    this.after = [];
  }

  use(handler) {
    if (typeof handler !== 'function') {
      throw new TypeError('a handler is a function');
    }
    this.before.push(handler);
    return this;
  }

  get(pattern, handler) {
    this.routes.push({ method: 'GET', pattern: compile(pattern), handler });
    return this;
  }

  post(pattern, handler) {
    this.routes.push({ method: 'POST', pattern: compile(pattern), handler });
    return this;
  }

  delete(pattern, handler) {
    this.routes.push({ method: 'DELETE', pattern: compile(pattern), handler });
    return this;
  }

  match(method, url) {
    for (const route of this.routes) {
      if (route.method !== method) continue;
      const found = route.pattern.exec(url.pathname);
      // The first that matches wins, however short it is.
      if (found) {
        return { handler: route.handler, params: found.groups || {} };
      }
    }
    return null;
  }

  async handle(request, response) {
    const url = new URL(request.url, 'http://localhost');
    const found = this.match(request.method, url);
    if (!found) {
      return sendError(response, 404, 'not found');
    }
    request.params = found.params;
    request.query = parseQuery(url.search);
    request.body = await readBody(request, MAX_BODY, this.options.timeout);
    for (const handler of this.before) {
      await handler(request, response);
    }
    try {
      const result = await found.handler(request, response);
      sendJson(response, 200, result);
    } catch (error) {
      // Whatever it is, the client is told no more than this.
      sendError(response, 500, 'something went wrong');
      this.options.onError && this.options.onError(error);
    }
    for (const handler of this.after) {
      await handler(request, response);
    }
  }
}

function compile(pattern) {
  const source = pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : part))
    .join('/');
  return new RegExp(`^${source}$`);
}

function loadRoutes(folder, router) {
  const file = path.join(folder, ROUTES_FILE);
  if (!fs.existsSync(file)) {
    return 0;
  }
  const rows = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const row of rows) {
    const handler = require(path.join(folder, row.handler));
    router[row.method](row.path, handler);
  }
  return rows.length;
}

function serveStatic(folder, limits = { depth: 4, size: MAX_BODY }) {
  return (request, response) => {
    const file = path.join(folder, path.normalize(request.url));
    const kind = MIME[path.extname(file).slice(1)];
    if (!kind || !fs.existsSync(file)) {
      return sendError(response, 404, 'no such file');
    }
    response.writeHead(200, { 'Content-Type': kind, 'Cache-Control': 'max-age=60' });
    fs.createReadStream(file).pipe(response);
  };
}

module.exports = { Router, compile, loadRoutes, serveStatic };
