// Runs before anything is shown: the colours that were chosen here before.
(function () {
    "use strict";
    var root = document.documentElement;
    root.classList.add("js");
    try {
        var theme = localStorage.getItem("gpu-tracker-theme");
        if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    } catch (e) {
        root.dataset.storage = "none";
    }
})();
