package lines

// What tests ask a terminal for its settings, and give them, with.
const GetTermios, SetTermios = getTermios, setTermios
