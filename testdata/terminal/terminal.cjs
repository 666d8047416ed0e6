// A terminal without a screen to look at. It reads one command a line and answers each when it has done it:
// {"write": bytes in base64} and {"resize": [columns, rows]} with {}, {"show": true} with {"screen": its rows}, {"keep": true} with
// {"lines": all that its own screen has and what scrolled out of it, each as it was written}, and {"colour": text} with {"colour":
// that of the last row with the text, there, as 0xRRGGBB; -1 if it is not on the screen}.
const { Terminal } = require("@xterm/headless");
const [columns, rows] = process.argv.slice(2).map(Number);
const terminal = new Terminal({ cols: columns, rows: rows, scrollback: 1000000, allowProposedApi: true });

function screen() {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, i) => buffer.getLine(buffer.baseY + i).translateToString(true));
}

function lines() {
  const buffer = terminal.buffer.normal;
  const all = [];
  for (let i = 0; i < buffer.length; i++) {
    const words = buffer.getLine(i).translateToString(!buffer.getLine(i + 1)?.isWrapped);
    if (buffer.getLine(i).isWrapped) all[all.length - 1] += words;
    else all.push(words);
  }
  return all;
}

function colour(text) {
  const buffer = terminal.buffer.active;
  const row = screen().findLastIndex((line) => line.includes(text));
  if (row < 0) return -1;
  const line = buffer.getLine(buffer.baseY + row);
  return line.getCell(line.translateToString().indexOf(text)).getFgColor();
}

const commands = require("node:readline").createInterface({ input: process.stdin });
commands.on("line", (line) => {
  const command = JSON.parse(line);
  if (command.resize) terminal.resize(...command.resize);
  terminal.write(command.write ? Buffer.from(command.write, "base64") : "", () => {
    const answer = {};
    if (command.show) answer.screen = screen();
    if (command.colour) answer.colour = colour(command.colour);
    if (command.keep) answer.lines = lines();
    process.stdout.write(JSON.stringify(answer) + "\n");
  });
});
