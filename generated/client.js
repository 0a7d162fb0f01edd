// Made from openapi/ by `npm run generate`. Never edit it by hand.

var hosts = {
	files: "http://localhost:7401",
	public: "http://localhost:7402",
	operator: "http://127.0.0.1:7404"
};
var serializeFormDataPair = (data, key, value) => {
	if (typeof value === "string" || value instanceof Blob) data.append(key, value);
	else if (value instanceof Date) data.append(key, value.toISOString());
	else data.append(key, JSON.stringify(value));
};
var serializeUrlSearchParamsPair = (data, key, value) => {
	if (typeof value === "string") data.append(key, value);
	else data.append(key, JSON.stringify(value));
};
var formDataBodySerializer = { bodySerializer: (body) => {
	const data = new FormData();
	Object.entries(body).forEach(([key, value]) => {
		if (value === void 0 || value === null) return;
		if (Array.isArray(value)) value.forEach((v) => serializeFormDataPair(data, key, v));
		else serializeFormDataPair(data, key, value);
	});
	return data;
} };
var jsonBodySerializer = { bodySerializer: (body) => JSON.stringify(body, (_key, value) => typeof value === "bigint" ? value.toString() : value) };
var urlSearchParamsBodySerializer = { bodySerializer: (body) => {
	const data = new URLSearchParams();
	Object.entries(body).forEach(([key, value]) => {
		if (value === void 0 || value === null) return;
		if (Array.isArray(value)) value.forEach((v) => serializeUrlSearchParamsPair(data, key, v));
		else serializeUrlSearchParamsPair(data, key, value);
	});
	return data.toString();
} };
Object.entries({
	$body_: "body",
	$headers_: "headers",
	$path_: "path",
	$query_: "query"
});
function createSseClient({ onRequest, onSseError, onSseEvent, responseTransformer, responseValidator, sseDefaultRetryDelay, sseMaxRetryAttempts, sseMaxRetryDelay, sseSleepFn, url, ...options }) {
	let lastEventId;
	const sleep = sseSleepFn ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
	const createStream = async function* () {
		let retryDelay = sseDefaultRetryDelay ?? 3e3;
		let attempt = 0;
		const signal = options.signal ?? new AbortController().signal;
		while (true) {
			if (signal.aborted) break;
			attempt++;
			const headers = options.headers instanceof Headers ? options.headers : new Headers(options.headers);
			if (lastEventId !== void 0) headers.set("Last-Event-ID", lastEventId);
			try {
				const requestInit = {
					redirect: "follow",
					...options,
					body: options.serializedBody,
					headers,
					signal
				};
				let request = new Request(url, requestInit);
				if (onRequest) request = await onRequest(url, requestInit);
				const response = await (options.fetch ?? globalThis.fetch)(request);
				if (!response.ok) throw new Error(`SSE failed: ${response.status} ${response.statusText}`);
				if (!response.body) throw new Error("No body in SSE response");
				const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
				let buffer = "";
				const abortHandler = () => {
					try {
						reader.cancel();
					} catch {}
				};
				signal.addEventListener("abort", abortHandler);
				try {
					while (true) {
						const { done, value } = await reader.read();
						if (done) break;
						buffer += value;
						buffer = buffer.replace(/\r\n?/g, "\n");
						const chunks = buffer.split("\n\n");
						buffer = chunks.pop() ?? "";
						for (const chunk of chunks) {
							const lines = chunk.split("\n");
							const dataLines = [];
							let eventName;
							for (const line of lines) if (line.startsWith("data:")) dataLines.push(line.replace(/^data:\s*/, ""));
							else if (line.startsWith("event:")) eventName = line.replace(/^event:\s*/, "");
							else if (line.startsWith("id:")) lastEventId = line.replace(/^id:\s*/, "");
							else if (line.startsWith("retry:")) {
								const parsed = Number.parseInt(line.replace(/^retry:\s*/, ""), 10);
								if (!Number.isNaN(parsed)) retryDelay = parsed;
							}
							let data;
							let parsedJson = false;
							if (dataLines.length) {
								const rawData = dataLines.join("\n");
								try {
									data = JSON.parse(rawData);
									parsedJson = true;
								} catch {
									data = rawData;
								}
							}
							if (parsedJson) {
								if (responseValidator) await responseValidator(data);
								if (responseTransformer) data = await responseTransformer(data);
							}
							onSseEvent?.({
								data,
								event: eventName,
								id: lastEventId,
								retry: retryDelay
							});
							if (dataLines.length) yield data;
						}
					}
				} finally {
					signal.removeEventListener("abort", abortHandler);
					reader.releaseLock();
				}
				break;
			} catch (error) {
				onSseError?.(error);
				if (sseMaxRetryAttempts !== void 0 && attempt >= sseMaxRetryAttempts) break;
				const backoff = Math.min(retryDelay * 2 ** (attempt - 1), sseMaxRetryDelay ?? 3e4);
				await sleep(backoff);
			}
		}
	};
	return { stream: createStream() };
}
var separatorArrayExplode = (style) => {
	switch (style) {
		case "label": return ".";
		case "matrix": return ";";
		case "simple": return ",";
		default: return "&";
	}
};
var separatorArrayNoExplode = (style) => {
	switch (style) {
		case "form": return ",";
		case "pipeDelimited": return "|";
		case "spaceDelimited": return "%20";
		default: return ",";
	}
};
var separatorObjectExplode = (style) => {
	switch (style) {
		case "label": return ".";
		case "matrix": return ";";
		case "simple": return ",";
		default: return "&";
	}
};
var serializeArrayParam = ({ allowReserved, explode, name, style, value }) => {
	if (!explode) {
		const joinedValues = (allowReserved ? value : value.map((v) => encodeURIComponent(v))).join(separatorArrayNoExplode(style));
		switch (style) {
			case "label": return `.${joinedValues}`;
			case "matrix": return `;${name}=${joinedValues}`;
			case "simple": return joinedValues;
			default: return `${name}=${joinedValues}`;
		}
	}
	const separator = separatorArrayExplode(style);
	const joinedValues = value.map((v) => {
		if (style === "label" || style === "simple") return allowReserved ? v : encodeURIComponent(v);
		return serializePrimitiveParam({
			allowReserved,
			name,
			value: v
		});
	}).join(separator);
	return style === "label" || style === "matrix" ? separator + joinedValues : joinedValues;
};
var serializePrimitiveParam = ({ allowReserved, name, value }) => {
	if (value === void 0 || value === null) return "";
	if (typeof value === "object") throw new Error("Deeply-nested arrays/objects aren’t supported. Provide your own `querySerializer()` to handle these.");
	return `${name}=${allowReserved ? value : encodeURIComponent(value)}`;
};
var serializeObjectParam = ({ allowReserved, explode, name, style, value, valueOnly }) => {
	if (value instanceof Date) return valueOnly ? value.toISOString() : `${name}=${value.toISOString()}`;
	if (style !== "deepObject" && !explode) {
		let values = [];
		Object.entries(value).forEach(([key, v]) => {
			values = [
				...values,
				key,
				allowReserved ? v : encodeURIComponent(v)
			];
		});
		const joinedValues = values.join(",");
		switch (style) {
			case "form": return `${name}=${joinedValues}`;
			case "label": return `.${joinedValues}`;
			case "matrix": return `;${name}=${joinedValues}`;
			default: return joinedValues;
		}
	}
	const separator = separatorObjectExplode(style);
	const joinedValues = Object.entries(value).map(([key, v]) => serializePrimitiveParam({
		allowReserved,
		name: style === "deepObject" ? `${name}[${key}]` : key,
		value: v
	})).join(separator);
	return style === "label" || style === "matrix" ? separator + joinedValues : joinedValues;
};
var PATH_PARAM_RE = /\{[^{}]+\}/g;
var defaultPathSerializer = ({ path, url: _url }) => {
	let url = _url;
	const matches = _url.match(PATH_PARAM_RE);
	if (matches) for (const match of matches) {
		let explode = false;
		let name = match.substring(1, match.length - 1);
		let style = "simple";
		if (name.endsWith("*")) {
			explode = true;
			name = name.substring(0, name.length - 1);
		}
		if (name.startsWith(".")) {
			name = name.substring(1);
			style = "label";
		} else if (name.startsWith(";")) {
			name = name.substring(1);
			style = "matrix";
		}
		const value = path[name];
		if (value === void 0 || value === null) continue;
		if (Array.isArray(value)) {
			url = url.replace(match, serializeArrayParam({
				explode,
				name,
				style,
				value
			}));
			continue;
		}
		if (typeof value === "object") {
			url = url.replace(match, serializeObjectParam({
				explode,
				name,
				style,
				value,
				valueOnly: true
			}));
			continue;
		}
		if (style === "matrix") {
			url = url.replace(match, `;${serializePrimitiveParam({
				name,
				value
			})}`);
			continue;
		}
		const replaceValue = encodeURIComponent(style === "label" ? `.${value}` : value);
		url = url.replace(match, replaceValue);
	}
	return url;
};
var getUrl = ({ baseUrl, path, query, querySerializer, url: _url }) => {
	const pathUrl = _url.startsWith("/") ? _url : `/${_url}`;
	let url = (baseUrl ?? "") + pathUrl;
	if (path) url = defaultPathSerializer({
		path,
		url
	});
	let search = query ? querySerializer(query) : "";
	if (search.startsWith("?")) search = search.substring(1);
	if (search) url += `?${search}`;
	return url;
};
function getValidRequestBody(options) {
	const hasBody = options.body !== void 0;
	if (hasBody && options.bodySerializer) {
		if ("serializedBody" in options) return options.serializedBody !== void 0 && options.serializedBody !== "" ? options.serializedBody : null;
		return options.body !== "" ? options.body : null;
	}
	if (hasBody) return options.body;
}
var getAuthToken = async (auth, callback) => {
	const token = typeof callback === "function" ? await callback(auth) : callback;
	if (!token) return;
	if (auth.scheme === "bearer") return `Bearer ${token}`;
	if (auth.scheme === "basic") return `Basic ${btoa(token)}`;
	return token;
};
var createQuerySerializer = ({ parameters = {}, ...args } = {}) => {
	const querySerializer = (queryParams) => {
		const search = [];
		if (queryParams && typeof queryParams === "object") for (const name in queryParams) {
			const value = queryParams[name];
			if (value === void 0 || value === null) continue;
			const options = parameters[name] || args;
			if (Array.isArray(value)) {
				const serializedArray = serializeArrayParam({
					allowReserved: options.allowReserved,
					explode: true,
					name,
					style: "form",
					value,
					...options.array
				});
				if (serializedArray) search.push(serializedArray);
			} else if (typeof value === "object") {
				const serializedObject = serializeObjectParam({
					allowReserved: options.allowReserved,
					explode: true,
					name,
					style: "deepObject",
					value,
					...options.object
				});
				if (serializedObject) search.push(serializedObject);
			} else {
				const serializedPrimitive = serializePrimitiveParam({
					allowReserved: options.allowReserved,
					name,
					value
				});
				if (serializedPrimitive) search.push(serializedPrimitive);
			}
		}
		return search.join("&");
	};
	return querySerializer;
};
var getParseAs = (contentType) => {
	if (!contentType) return "stream";
	const cleanContent = contentType.split(";")[0]?.trim();
	if (!cleanContent) return;
	if (cleanContent.startsWith("application/json") || cleanContent.endsWith("+json")) return "json";
	if (cleanContent === "multipart/form-data") return "formData";
	if ([
		"application/",
		"audio/",
		"image/",
		"video/"
	].some((type) => cleanContent.startsWith(type))) return "blob";
	if (cleanContent.startsWith("text/")) return "text";
};
var checkForExistence = (options, name) => {
	if (!name) return false;
	if (options.headers.has(name) || options.query?.[name] || options.headers.get("Cookie")?.includes(`${name}=`)) return true;
	return false;
};
async function setAuthParams(options) {
	for (const auth of options.security ?? []) {
		if (checkForExistence(options, auth.name)) continue;
		const token = await getAuthToken(auth, options.auth);
		if (!token) continue;
		const name = auth.name ?? "Authorization";
		switch (auth.in) {
			case "query":
				if (!options.query) options.query = {};
				options.query[name] = token;
				break;
			case "cookie":
				options.headers.append("Cookie", `${name}=${token}`);
				break;
			default: options.headers.set(name, token);
		}
	}
}
var buildUrl = (options) => getUrl({
	baseUrl: options.baseUrl,
	path: options.path,
	query: options.query,
	querySerializer: typeof options.querySerializer === "function" ? options.querySerializer : createQuerySerializer(options.querySerializer),
	url: options.url
});
var mergeConfigs = (a, b) => {
	const config = {
		...a,
		...b
	};
	if (config.baseUrl?.endsWith("/")) config.baseUrl = config.baseUrl.substring(0, config.baseUrl.length - 1);
	config.headers = mergeHeaders(a.headers, b.headers);
	return config;
};
var headersEntries = (headers) => {
	const entries = [];
	headers.forEach((value, key) => {
		entries.push([key, value]);
	});
	return entries;
};
var mergeHeaders = (...headers) => {
	const mergedHeaders = new Headers();
	for (const header of headers) {
		if (!header) continue;
		const iterator = header instanceof Headers ? headersEntries(header) : Object.entries(header);
		for (const [key, value] of iterator) if (value === null) mergedHeaders.delete(key);
		else if (Array.isArray(value)) for (const v of value) mergedHeaders.append(key, v);
		else if (value !== void 0) mergedHeaders.set(key, typeof value === "object" ? JSON.stringify(value) : value);
	}
	return mergedHeaders;
};
var Interceptors = class {
	fns = [];
	clear() {
		this.fns = [];
	}
	eject(id) {
		const index = this.getInterceptorIndex(id);
		if (this.fns[index]) this.fns[index] = null;
	}
	exists(id) {
		const index = this.getInterceptorIndex(id);
		return Boolean(this.fns[index]);
	}
	getInterceptorIndex(id) {
		if (typeof id === "number") return this.fns[id] ? id : -1;
		return this.fns.indexOf(id);
	}
	update(id, fn) {
		const index = this.getInterceptorIndex(id);
		if (this.fns[index]) {
			this.fns[index] = fn;
			return id;
		}
		return false;
	}
	use(fn) {
		this.fns.push(fn);
		return this.fns.length - 1;
	}
};
var createInterceptors = () => ({
	error: new Interceptors(),
	request: new Interceptors(),
	response: new Interceptors()
});
var defaultQuerySerializer = createQuerySerializer({
	allowReserved: false,
	array: {
		explode: true,
		style: "form"
	},
	object: {
		explode: true,
		style: "deepObject"
	}
});
var defaultHeaders = { "Content-Type": "application/json" };
var createConfig = (override = {}) => ({
	...jsonBodySerializer,
	headers: defaultHeaders,
	parseAs: "auto",
	querySerializer: defaultQuerySerializer,
	...override
});
var createClient = (config = {}) => {
	let _config = mergeConfigs(createConfig(), config);
	const getConfig = () => ({ ..._config });
	const setConfig = (config) => {
		_config = mergeConfigs(_config, config);
		return getConfig();
	};
	const interceptors = createInterceptors();
	const beforeRequest = async (options) => {
		const opts = {
			..._config,
			...options,
			fetch: options.fetch ?? _config.fetch ?? globalThis.fetch,
			headers: mergeHeaders(_config.headers, options.headers),
			serializedBody: void 0
		};
		if (opts.security) await setAuthParams(opts);
		if (opts.requestValidator) await opts.requestValidator(opts);
		if (opts.body !== void 0 && opts.bodySerializer) opts.serializedBody = opts.bodySerializer(opts.body);
		if (opts.body === void 0 || opts.serializedBody === "") opts.headers.delete("Content-Type");
		const resolvedOpts = opts;
		return {
			opts: resolvedOpts,
			url: buildUrl(resolvedOpts)
		};
	};
	const request = async (options) => {
		const throwOnError = options.throwOnError ?? _config.throwOnError;
		const responseStyle = options.responseStyle ?? _config.responseStyle;
		let request;
		let response;
		try {
			const { opts, url } = await beforeRequest(options);
			const requestInit = {
				redirect: "follow",
				...opts,
				body: getValidRequestBody(opts)
			};
			request = new Request(url, requestInit);
			for (const fn of interceptors.request.fns) if (fn) request = await fn(request, opts);
			const _fetch = opts.fetch;
			response = await _fetch(request);
			for (const fn of interceptors.response.fns) if (fn) response = await fn(response, request, opts);
			const result = {
				request,
				response
			};
			if (response.ok) {
				const parseAs = (opts.parseAs === "auto" ? getParseAs(response.headers.get("Content-Type")) : opts.parseAs) ?? "json";
				if (response.status === 204 || response.headers.get("Content-Length") === "0") {
					let emptyData;
					switch (parseAs) {
						case "arrayBuffer":
						case "blob":
						case "text":
							emptyData = await response[parseAs]();
							break;
						case "formData":
							emptyData = new FormData();
							break;
						case "stream":
							emptyData = response.body;
							break;
						default: emptyData = {};
					}
					return opts.responseStyle === "data" ? emptyData : {
						data: emptyData,
						...result
					};
				}
				let data;
				switch (parseAs) {
					case "arrayBuffer":
					case "blob":
					case "formData":
					case "text":
						data = await response[parseAs]();
						break;
					case "json": {
						const text = await response.text();
						data = text ? JSON.parse(text) : {};
						break;
					}
					case "stream": return opts.responseStyle === "data" ? response.body : {
						data: response.body,
						...result
					};
				}
				if (parseAs === "json") {
					if (opts.responseValidator) await opts.responseValidator(data);
					if (opts.responseTransformer) data = await opts.responseTransformer(data);
				}
				return opts.responseStyle === "data" ? data : {
					data,
					...result
				};
			}
			const textError = await response.text();
			let jsonError;
			try {
				jsonError = JSON.parse(textError);
			} catch {}
			throw jsonError ?? textError;
		} catch (error) {
			let finalError = error;
			for (const fn of interceptors.error.fns) if (fn) finalError = await fn(finalError, response, request, options);
			finalError = finalError || {};
			if (throwOnError) throw finalError;
			return responseStyle === "data" ? void 0 : {
				error: finalError,
				request,
				response
			};
		}
	};
	const makeMethodFn = (method) => (options) => request({
		...options,
		method
	});
	const makeSseFn = (method) => async (options) => {
		const { opts, url } = await beforeRequest(options);
		return createSseClient({
			...opts,
			body: opts.body,
			method,
			onRequest: async (url, init) => {
				let request = new Request(url, init);
				for (const fn of interceptors.request.fns) if (fn) request = await fn(request, opts);
				return request;
			},
			serializedBody: getValidRequestBody(opts),
			url
		});
	};
	const _buildUrl = (options) => buildUrl({
		..._config,
		...options
	});
	return {
		buildUrl: _buildUrl,
		connect: makeMethodFn("CONNECT"),
		delete: makeMethodFn("DELETE"),
		get: makeMethodFn("GET"),
		getConfig,
		head: makeMethodFn("HEAD"),
		interceptors,
		options: makeMethodFn("OPTIONS"),
		patch: makeMethodFn("PATCH"),
		post: makeMethodFn("POST"),
		put: makeMethodFn("PUT"),
		request,
		setConfig,
		sse: {
			connect: makeSseFn("CONNECT"),
			delete: makeSseFn("DELETE"),
			get: makeSseFn("GET"),
			head: makeSseFn("HEAD"),
			options: makeSseFn("OPTIONS"),
			patch: makeSseFn("PATCH"),
			post: makeSseFn("POST"),
			put: makeSseFn("PUT"),
			trace: makeSseFn("TRACE")
		},
		trace: makeMethodFn("TRACE")
	};
};
var client = createClient(createConfig({ baseUrl: "http://localhost:7400" }));
var deleteObjects = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listObjects = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects",
	...options
});
var updateObjects = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var uploadObject = (options) => (options.client ?? client).post({
	...formDataBodySerializer,
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects",
	...options,
	headers: {
		"Content-Type": null,
		...options.headers
	}
});
var getObjectInfo = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/info",
	...options
});
var copyObject = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/copy",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getDownloadLink = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/download",
	...options
});
var abortChunkedUpload = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getChunkedUpload = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked",
	...options
});
var completeChunkedUpload = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var startChunkedUpload = (options) => (options?.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked",
	...options
});
var putChunkedPart = (options) => (options.client ?? client).put({
	bodySerializer: null,
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked",
	...options,
	headers: {
		"Content-Type": "application/octet-stream",
		...options.headers
	}
});
var listChunkedUploads = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/objects/chunked/open",
	...options
});
var startUpload = (options) => (options?.client ?? client).post({
	bodySerializer: null,
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/uploads",
	...options,
	headers: {
		"Content-Type": "application/offset+octet-stream",
		...options?.headers
	}
});
var deleteUpload = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/uploads/{upload}",
	...options
});
var getUpload = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/uploads/{upload}",
	...options
});
var putUploadBytes = (options) => (options.client ?? client).patch({
	bodySerializer: null,
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		key: "uploadToken",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/uploads/{upload}",
	...options,
	headers: {
		"Content-Type": "application/offset+octet-stream",
		...options.headers
	}
});
var deleteTrash = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/trash",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listTrash = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/trash",
	...options
});
var restoreTrash = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/trash/restore",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listFolderJobs = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/folders/jobs",
	...options
});
var startFolderJob = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/folders/jobs",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getFolderJob = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/folders/jobs/{id}",
	...options
});
var abortFolderJob = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/folders/jobs/{id}/cancel",
	...options
});
var createUploadToken = (options) => (options?.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/upload-tokens",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options?.headers
	}
});
var deleteShare = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/shares",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listShares = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/shares",
	...options
});
var updateShare = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/shares",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var createShare = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/shares",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listShareFiles = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/shares/files",
	...options
});
var deleteFileRequest = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/file-requests",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listFileRequests = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/file-requests",
	...options
});
var updateFileRequest = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/file-requests",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var createFileRequest = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/file-requests",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getS3Credentials = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		in: "cookie",
		name: "cubby_session",
		type: "apiKey"
	}],
	url: "/v1/s3/credentials",
	...options
});
var getSettings = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/settings",
	...options
});
var replaceSettings = (options) => (options.client ?? client).put({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/settings",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getImageKey = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/image-key",
	...options
});
var getStats = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/stats",
	...options
});
var getUsageHistory = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/usage",
	...options
});
var listKeys = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/keys",
	...options
});
var createKey = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/keys",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var revokeKey = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/keys/{id}",
	...options
});
var updateKey = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/keys/{id}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var regenerateKey = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/keys/{id}/regenerate",
	...options
});
var deleteSession = (options) => (options?.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/session",
	...options
});
var getSession = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/session",
	...options
});
var listSessions = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/sessions",
	...options
});
var startSession = (options) => (options.client ?? client).post({
	url: "/v1/sessions",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var revokeSession = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/sessions/{id}",
	...options
});
var listActivity = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/account/activity",
	...options
});
var listEvents = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/events",
	...options
});
var getEvent = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/events/{event_id}",
	...options
});
var listReceiptKeys = (options) => (options?.client ?? client).get({
	url: "/v1/receipts/keys",
	...options
});
var listWebhooks = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks",
	...options
});
var createWebhook = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var deleteWebhook = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}",
	...options
});
var getWebhook = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}",
	...options
});
var updateWebhook = (options) => (options.client ?? client).patch({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var runWebhookTest = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}/test",
	...options
});
var listWebhookDeliveries = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}/deliveries",
	...options
});
var startWebhookReplay = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}/replay",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var regenerateWebhookSecret = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v1/webhooks/{id}/rotate",
	...options
});
var createChatCompletion = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/chat/completions",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var createEmbeddings = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/embeddings",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var createMessage = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		name: "X-Api-Key",
		type: "apiKey"
	}],
	url: "/v2/ai/messages",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var countMessageTokens = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		name: "X-Api-Key",
		type: "apiKey"
	}],
	url: "/v2/ai/messages/count_tokens",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listModels = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		name: "X-Api-Key",
		type: "apiKey"
	}],
	url: "/v2/ai/models",
	...options
});
var getModel = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}, {
		name: "X-Api-Key",
		type: "apiKey"
	}],
	url: "/v2/ai/models/{model}",
	...options
});
var listAiRequests = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/requests",
	...options
});
var createResponse = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/responses",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getChatUsage = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/usage",
	...options
});
var getChatUsageHistory = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/ai/usage/history",
	...options
});
var listApps = (options) => (options?.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps",
	...options
});
var setGitWebhook = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/webhook",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getDeployFilters = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/filters",
	...options
});
var replaceDeployFilters = (options) => (options.client ?? client).put({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/filters",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var revokeDeployHook = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/hook",
	...options
});
var getDeployHook = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/hook",
	...options
});
var createDeployHook = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/hook",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var deleteCommitStatus = (options) => (options.client ?? client).delete({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/status",
	...options
});
var getCommitStatus = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/status",
	...options
});
var replaceCommitStatus = (options) => (options.client ?? client).put({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deploy/status",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var getCurrentDeployment = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deployments/current",
	...options
});
var listDeployments = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deployments",
	...options
});
var runDeployment = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deployments/{id}/redeploy",
	...options
});
var abortDeployment = (options) => (options.client ?? client).post({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deployments/{id}/cancel",
	...options
});
var getDeploymentLogs = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/deployments/{id}/logs",
	...options
});
var getNetworkErrors = (options) => (options.client ?? client).get({
	security: [{
		key: "apiKey",
		name: "Authorization",
		type: "apiKey"
	}],
	url: "/v2/apps/{app_id}/network/errors",
	...options
});
var startHookDeploy = (options) => (options.client ?? client).post({
	url: "/v2/deploy/hook/{hook}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var receiveGitPush = (options) => (options.client ?? client).post({
	url: "/v2/git/webhook/{webhook}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var requestDeviceCode = (options) => (options.client ?? client).post({
	url: "/v2/auth/device",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var showActivationPage = (options) => (options?.client ?? client).get({
	url: "/activate",
	...options
});
var submitActivation = (options) => (options.client ?? client).post({
	...urlSearchParamsBodySerializer,
	url: "/activate",
	...options,
	headers: {
		"Content-Type": "application/x-www-form-urlencoded",
		...options.headers
	}
});
var pollDeviceToken = (options) => (options.client ?? client).post({
	url: "/v2/auth/device/token",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var openDownloadLink = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/d/{token}",
	...options
});
var openShare = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/s/{share_id}",
	...options
});
var submitSharePassword = (options) => (options.client ?? client).post({
	...urlSearchParamsBodySerializer,
	baseUrl: hosts.files,
	url: "/s/{share_id}",
	...options,
	headers: {
		"Content-Type": "application/x-www-form-urlencoded",
		...options.headers
	}
});
var openFileRequest = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/r/{request_token}",
	...options
});
var submitFiles = (options) => (options.client ?? client).post({
	...formDataBodySerializer,
	baseUrl: hosts.files,
	url: "/r/{request_token}",
	...options,
	headers: {
		"Content-Type": null,
		...options.headers
	}
});
var submitRequestPassword = (options) => (options.client ?? client).post({
	...urlSearchParamsBodySerializer,
	baseUrl: hosts.files,
	url: "/r/{request_token}/password",
	...options,
	headers: {
		"Content-Type": "application/x-www-form-urlencoded",
		...options.headers
	}
});
var showSentFiles = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/r/{request_token}/sent",
	...options
});
var getSentReceipt = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/r/{request_token}/receipt",
	...options
});
var startSentUpload = (options) => (options.client ?? client).post({
	baseUrl: hosts.files,
	url: "/r/{request_token}/uploads",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var deleteSentUpload = (options) => (options.client ?? client).delete({
	baseUrl: hosts.files,
	url: "/r/{request_token}/uploads/{upload}",
	...options
});
var getSentUpload = (options) => (options.client ?? client).get({
	baseUrl: hosts.files,
	url: "/r/{request_token}/uploads/{upload}",
	...options
});
var putSentBytes = (options) => (options.client ?? client).patch({
	bodySerializer: null,
	baseUrl: hosts.files,
	url: "/r/{request_token}/uploads/{upload}",
	...options,
	headers: {
		"Content-Type": "application/partial-upload",
		...options.headers
	}
});
var getPublicFile = (options) => (options.client ?? client).get({
	baseUrl: hosts.public,
	url: "/{account_id}/{key}",
	...options
});
var deleteOperatorSession = (options) => (options?.client ?? client).delete({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/session",
	...options
});
var getOperatorSession = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/session",
	...options
});
var startOperatorSession = (options) => (options.client ?? client).post({
	baseUrl: hosts.operator,
	url: "/v2/operator/session",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listAccounts = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts",
	...options
});
var createAccount = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var deleteAccount = (options) => (options.client ?? client).delete({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}",
	...options
});
var getAccount = (options) => (options.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}",
	...options
});
var updateAccount = (options) => (options.client ?? client).patch({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var suspendAccount = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/suspend",
	...options
});
var resumeAccount = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/resume",
	...options
});
var restoreAccount = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/restore",
	...options
});
var getAccountUsage = (options) => (options.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/usage",
	...options
});
var getAccountAiUsage = (options) => (options.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/usage/ai",
	...options
});
var listAccountKeys = (options) => (options.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/keys",
	...options
});
var createAccountKey = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/keys",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listAccountApps = (options) => (options.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/apps",
	...options
});
var createAccountApp = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/accounts/{account_id}/apps",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var revokeAccountKey = (options) => (options.client ?? client).delete({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/keys/{id}",
	...options
});
var updateAccountKey = (options) => (options.client ?? client).patch({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/keys/{id}",
	...options,
	headers: {
		"Content-Type": "application/json",
		...options.headers
	}
});
var listJobs = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/jobs",
	...options
});
var runJob = (options) => (options.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/jobs/{job}/run",
	...options
});
var confirmClock = (options) => (options?.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/clock/confirm",
	...options
});
var getConfiguration = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/configuration",
	...options
});
var getInstallation = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/installation",
	...options
});
var listBackups = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/backups",
	...options
});
var startBackup = (options) => (options?.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/backups",
	...options
});
var getUpkeep = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/upkeep",
	...options
});
var startScrub = (options) => (options?.client ?? client).post({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/scrub",
	...options
});
var listPurges = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/purges",
	...options
});
var listAuditEntries = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/audit",
	...options
});
var verifyAuditLog = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/audit/verify",
	...options
});
var listReplicas = (options) => (options?.client ?? client).get({
	security: [{
		key: "operatorKey",
		name: "Authorization",
		type: "apiKey"
	}],
	baseUrl: hosts.operator,
	url: "/v2/operator/replicas",
	...options
});
var getLiveness = (options) => (options?.client ?? client).get({
	url: "/livez",
	...options
});
var getReadiness = (options) => (options?.client ?? client).get({
	url: "/readyz",
	...options
});
var getMetrics = (options) => (options?.client ?? client).get({
	baseUrl: hosts.operator,
	url: "/metrics",
	...options
});
async function sign(url, { w, h, fit = "contain", q, f = "auto" }, key) {
	const address = new URL(url);
	const fields = Object.entries({
		w,
		h,
		fit,
		q,
		f
	}).filter(([, value]) => value !== void 0);
	const variant = fields.map(([name, value]) => `${name}=${value}`).join("&");
	for (const [name, value] of fields) address.searchParams.set(name, String(value));
	address.searchParams.set("sig", await hmac(key, `${address.pathname}?${variant}`));
	return address.href;
}
async function hmac(key, text) {
	const { subtle } = globalThis.crypto;
	const encoder = new TextEncoder();
	const algorithm = {
		name: "HMAC",
		hash: "SHA-256"
	};
	const imported = await subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"]);
	const bytes = new Uint8Array(await subtle.sign(algorithm.name, imported, encoder.encode(text)));
	return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
var ReceiptInvalid = class extends Error {
	constructor(message) {
		super(message);
		this.name = "ReceiptInvalid";
	}
};
async function verifyReceipt(receipt, keys) {
	return await verified(receipt, keys, "cubby-receipt");
}
async function verifySentReceipt(receipt, keys) {
	return await verified(receipt, keys, "cubby-sent-receipt");
}
async function verified(receipt, keys, kind) {
	const [head, payload, signature, ...rest] = receipt.split(".");
	if (!head || !payload || !signature || rest.length > 0) throw new ReceiptInvalid("A receipt has three parts, joined by dots.");
	const { alg, typ, kid } = parsed(head);
	if (alg !== "EdDSA" || typ !== kind) throw new ReceiptInvalid("This is no receipt of this kind.");
	const key = (isList(keys) ? keys : keys.keys).find((one) => one.kid === kid);
	if (!key || key.kty !== "OKP" || key.crv !== "Ed25519") throw new ReceiptInvalid("The receipt was signed with a key that is not among the given ones. Fetch them again.");
	const publicKey = await crypto.subtle.importKey("jwk", {
		kty: key.kty,
		crv: key.crv,
		x: key.x
	}, { name: "Ed25519" }, false, ["verify"]);
	const content = new TextEncoder().encode(`${head}.${payload}`);
	if (!await crypto.subtle.verify("Ed25519", publicKey, bytesOf(signature), content)) throw new ReceiptInvalid("The signature does not match. The receipt was changed.");
	return parsed(payload);
}
function isList(keys) {
	return Array.isArray(keys);
}
function bytesOf(base64url) {
	let text;
	try {
		text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
	} catch {
		throw new ReceiptInvalid("A part of the receipt is not base64url.");
	}
	return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
function parsed(base64url) {
	const bytes = bytesOf(base64url);
	let value;
	try {
		value = JSON.parse(new TextDecoder().decode(bytes));
	} catch {}
	if (typeof value !== "object" || value === null) throw new ReceiptInvalid("A part of the receipt is not JSON.");
	return value;
}
export { ReceiptInvalid, abortChunkedUpload, abortDeployment, abortFolderJob, client, completeChunkedUpload, confirmClock, copyObject, countMessageTokens, createAccount, createAccountApp, createAccountKey, createChatCompletion, createClient, createConfig, createDeployHook, createEmbeddings, createFileRequest, createKey, createMessage, createResponse, createShare, createUploadToken, createWebhook, deleteAccount, deleteCommitStatus, deleteFileRequest, deleteObjects, deleteOperatorSession, deleteSentUpload, deleteSession, deleteShare, deleteTrash, deleteUpload, deleteWebhook, getAccount, getAccountAiUsage, getAccountUsage, getChatUsage, getChatUsageHistory, getChunkedUpload, getCommitStatus, getConfiguration, getCurrentDeployment, getDeployFilters, getDeployHook, getDeploymentLogs, getDownloadLink, getEvent, getFolderJob, getImageKey, getInstallation, getLiveness, getMetrics, getModel, getNetworkErrors, getObjectInfo, getOperatorSession, getPublicFile, getReadiness, getS3Credentials, getSentReceipt, getSentUpload, getSession, getSettings, getStats, getUpkeep, getUpload, getUsageHistory, getWebhook, hosts, listAccountApps, listAccountKeys, listAccounts, listActivity, listAiRequests, listApps, listAuditEntries, listBackups, listChunkedUploads, listDeployments, listEvents, listFileRequests, listFolderJobs, listJobs, listKeys, listModels, listObjects, listPurges, listReceiptKeys, listReplicas, listSessions, listShareFiles, listShares, listTrash, listWebhookDeliveries, listWebhooks, openDownloadLink, openFileRequest, openShare, pollDeviceToken, putChunkedPart, putSentBytes, putUploadBytes, receiveGitPush, regenerateKey, regenerateWebhookSecret, replaceCommitStatus, replaceDeployFilters, replaceSettings, requestDeviceCode, restoreAccount, restoreTrash, resumeAccount, revokeAccountKey, revokeDeployHook, revokeKey, revokeSession, runDeployment, runJob, runWebhookTest, setGitWebhook, showActivationPage, showSentFiles, sign, startBackup, startChunkedUpload, startFolderJob, startHookDeploy, startOperatorSession, startScrub, startSentUpload, startSession, startUpload, startWebhookReplay, submitActivation, submitFiles, submitRequestPassword, submitSharePassword, suspendAccount, updateAccount, updateAccountKey, updateFileRequest, updateKey, updateObjects, updateShare, updateWebhook, uploadObject, verifyAuditLog, verifyReceipt, verifySentReceipt };
