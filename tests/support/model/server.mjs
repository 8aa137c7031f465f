// An endpoint with OpenAI's chat completions around a small model that runs here, for tests of the real thing.
//
//     node server.mjs MODEL.gguf PORT THREADS
//
// Needs the package node-llama-cpp (see ../../../scripts/model). One question at a time; answers are held to the JSON
// schema of the question by a grammar. Prints one line once it listens.
import http from "node:http";
import {LlamaChatSession, getLlama} from "node-llama-cpp";

const [modelPath, port, threads] = process.argv.slice(2);
const llama = await getLlama({gpu: false, logLevel: "error", maxThreads: Number(threads)});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: 8192, threads: Number(threads)});

async function complete(body) {
    const messages = body.messages ?? [];
    const system = messages.filter((m) => m.role === "system").map((m) => m.content).join("\n");
    const user = messages.filter((m) => m.role !== "system").map((m) => m.content).join("\n\n");
    const schema = body.response_format?.json_schema?.schema;
    let grammar;
    if (body.grammar !== undefined) grammar = await llama.createGrammar({grammar: body.grammar});
    else if (schema !== undefined) grammar = await llama.createGrammarForJsonSchema(schema);
    const sequence = context.getSequence();
    try {
        const session = new LlamaChatSession({contextSequence: sequence, systemPrompt: system});
        const answer = await session.promptWithMeta(user, {
            grammar,
            maxTokens: body.max_tokens,
            temperature: body.temperature,
            seed: body.seed,
        });
        const usage = {
            prompt_tokens: model.tokenize(system + user).length,
            completion_tokens: model.tokenize(answer.responseText).length,
        };
        const finish = answer.stopReason === "maxTokens" ? "length" : "stop";
        session.dispose();
        return {
            object: "chat.completion",
            model: body.model,
            choices: [{index: 0, message: {role: "assistant", content: answer.responseText}, finish_reason: finish}],
            usage,
        };
    } finally {
        sequence.dispose();
    }
}

let turn = Promise.resolve();
const server = http.createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
        const send = (status, value) => {
            response.writeHead(status, {"content-type": "application/json"});
            response.end(JSON.stringify(value));
        };
        if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
            send(404, {error: {message: "only POST /v1/chat/completions"}});
            return;
        }
        turn = turn
            .then(() => complete(JSON.parse(Buffer.concat(chunks).toString())))
            .then((value) => send(200, value))
            .catch((error) => send(400, {error: {message: String(error)}}));
    });
});
server.listen(Number(port), "127.0.0.1", () => console.log("listening"));
