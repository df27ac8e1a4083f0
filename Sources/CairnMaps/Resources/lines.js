// Returns the lines of a text, as `BaseMapText` describes it, as arrays of longitude, latitude, longitude and so on.
// Steps are in hundredths of a degree, in base 89. Every line begins with its first vertex and
// ends with "!".
function readLines(text) {
  return text.split('!').filter(part => part.length > 6).map(part => {
    let at = 0;
    const digit = () => { const code = part.charCodeAt(at++); return code - 36 - (code > 60) - (code > 92); };
    const number = () => (digit() * 89 + digit()) * 89 + digit();
    const step = () => {
      let code = digit();
      if (code === 88) code = number() + 79;
      else if (code >= 79) code = (code - 79) * 89 + digit() + 79;
      return code % 2 ? -(code + 1) / 2 : code / 2;
    };
    let x = number() - 18000, y = number() - 9000;
    const line = [x / 100, y / 100];
    while (at < part.length) { x += step(); y += step(); line.push(x / 100, y / 100); }
    return line;
  });
}
