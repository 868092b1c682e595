// Draws openapi.json and sends what is filled in. No library, nothing from elsewhere; texts are never taken for markup.
'use strict';

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => { element[key] = value; });
  element.append(...children);
  return element;
};

const field = (parameter) => {
  const input = make('input', { placeholder: parameter.required ? 'required 必填' : '' });
  input.dataset.name = parameter.name;
  input.dataset.place = parameter.in;
  return make('div', { className: 'field' },
    make('label', {}, make('code', {}, parameter.name), ` (${parameter.in})`), input,
    make('small', {}, parameter.description || ''));
};

const sample = (api, reference) => {
  const schema = api.components.schemas[reference.split('/').pop()] || {};
  const body = {};
  (schema.required || []).forEach((name) => {
    const property = (schema.properties || {})[name] || {};
    body[name] = property.type === 'array' ? ['wordpress'] : property.enum ? property.enum[0] : '';
  });
  if (schema.properties && schema.properties.external_id) {
    body.external_id = 'campaign_98231_v1';
    body.title = '11.11 主会场预热';
    body.content_md = '# Hello\n\n正文';
  }
  return JSON.stringify(body, null, 2);
};

const send = async (verb, path, box, output) => {
  let url = path;
  const query = new URLSearchParams();
  const headers = {};
  box.querySelectorAll('input').forEach((input) => {
    const { name, place } = input.dataset;
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value && place === 'query') query.set(name, input.value);
    else if (input.value && place === 'header') headers[name] = input.value;
  });
  const key = document.getElementById('key').value.trim();
  if (key) headers.Authorization = `Bearer ${key}`;
  const body = box.querySelector('textarea');
  if (body) headers['Content-Type'] = body.dataset.media;
  if (query.size) url += `?${query}`;
  output.textContent = '…';
  try {
    const began = performance.now();
    const answer = await fetch(url, { method: verb, headers, body: body ? body.value : undefined, credentials: 'omit' });
    const text = await answer.text();
    const told = ['etag', 'location', 'retry-after', 'x-request-id']
      .filter((name) => answer.headers.has(name)).map((name) => `${name}: ${answer.headers.get(name)}`).join('\n');
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: as it came */ }
    output.textContent = `${answer.status} (${Math.round(performance.now() - began)} ms)\n${told}\n\n${shown}`;
  } catch (error) {
    output.textContent = `No answer 无响应: ${error.message}`;
  }
};

const draw = (api) => {
  const list = document.getElementById('operations');
  list.textContent = '';
  api.tags.forEach((tag) => {
    const boxes = [];
    Object.entries(api.paths).forEach(([path, item]) => Object.entries(item).forEach(([verb, operation]) => {
      if (operation.tags[0] !== tag.name) return;
      const output = make('pre', {});
      const box = make('div', {}, make('p', {}, operation.description || ''), ...(operation.parameters || []).map(field));
      if (operation.requestBody) {
        const [media, content] = Object.entries(operation.requestBody.content)[0];
        const body = make('textarea', { value: sample(api, content.schema.$ref), spellcheck: false });
        body.dataset.media = media;
        box.append(body);
      }
      const button = make('button', { type: 'button' }, 'Send 发送');
      button.addEventListener('click', () => send(verb.toUpperCase(), path, box, output));
      box.append(button, output);
      boxes.push(make('details', {},
        make('summary', {}, make('span', { className: `verb ${verb}` }, verb.toUpperCase()), make('code', {}, path),
          operation.summary), box));
    }));
    if (boxes.length) list.append(make('h2', {}, tag.description), ...boxes);
  });
  const errors = document.getElementById('errors');
  api['x-error-codes'].forEach((code) => errors.append(make('tr', {},
    ...[code.error_code, code.status, code.retryable ? 'yes 是' : 'no 否', code.next, code.next_zh]
      .map((text) => make('td', {}, String(text))))));
};

fetch('/openapi.json', { credentials: 'omit' }).then((answer) => answer.json()).then(draw).catch((error) => {
  document.getElementById('operations').textContent = `openapi.json: ${error.message}`;
});
